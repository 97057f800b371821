package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
)

// selectorQuestion is a selector, where it is judged, and the device that it is judged on, in the form of a ResourceSlice.
type selectorQuestion struct {
	Expression  string          `json:"expression"`
	Expressions string          `json:"expressions"` // "stored" or "new"
	Gates       map[string]bool `json:"gates"`
	CostLimit   *uint64         `json:"costLimit"`
	Driver      string          `json:"driver"`
	Device      *struct {
		Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
		Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
		AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations"`
	} `json:"device"`
}

// selectorAnswer has either CompileError, or the type and the estimate and, with a device, the cost and a match or an error.
type selectorAnswer struct {
	CompileError string  `json:"compileError,omitempty"`
	Type         string  `json:"type,omitempty"`
	MaxCost      *uint64 `json:"maxCost,omitempty"`
	Cost         *uint64 `json:"cost,omitempty"`
	Match        *bool   `json:"match,omitempty"`
	Error        string  `json:"error,omitempty"`
}

// gateFields maps a feature gate to the field of cel.Features that carries it, where the minor has that field.
var gateFields = map[string]string{
	"DRAConsumableCapacity": "EnableConsumableCapacity",
	"DRAListTypeAttributes": "EnableListTypeAttributes",
}

type selectorCompiler interface {
	CompileCELExpression(string, cel.Options) cel.CompilationResult
}

var compilers = map[cel.Features]selectorCompiler{}

// compilerFor keeps one compiler a combination of gates, since building its environments is slow.
func compilerFor(gates map[string]bool) selectorCompiler {
	var features cel.Features
	for gate, enabled := range gates {
		if field := reflect.ValueOf(&features).Elem().FieldByName(gateFields[gate]); field.IsValid() {
			field.SetBool(enabled)
		}
	}
	if compilers[features] == nil {
		compilers[features] = cel.GetCompiler(features)
	}
	return compilers[features]
}

func (q *selectorQuestion) options() cel.Options {
	kind := environment.StoredExpressions
	if q.Expressions == "new" {
		kind = environment.NewExpressions
	}
	return cel.Options{EnvType: &kind, CostLimit: q.CostLimit}
}

func (q *selectorQuestion) device() cel.Device {
	return cel.Device{Driver: q.Driver, Attributes: q.Device.Attributes, Capacity: q.Device.Capacity, AllowMultipleAllocations: q.Device.AllowMultipleAllocations}
}

func answerSelector(raw json.RawMessage) (reply any, err error) {
	var question selectorQuestion
	if err := json.Unmarshal(raw, &question); err != nil {
		return nil, err
	}
	defer func() {
		if cause := recover(); cause != nil {
			reply, err = selectorAnswer{Error: fmt.Sprint("panic: ", cause)}, nil
		}
	}()
	compiled := compilerFor(question.Gates).CompileCELExpression(question.Expression, question.options())
	if compiled.Error != nil {
		return selectorAnswer{CompileError: compiled.Error.Error()}, nil
	}
	answer := selectorAnswer{Type: compiled.OutputType.String(), MaxCost: &compiled.MaxCost}
	if question.Device == nil {
		return answer, nil
	}
	match, details, err := compiled.DeviceMatches(context.Background(), question.device())
	if details != nil {
		answer.Cost = details.ActualCost()
	}
	if err != nil {
		answer.Error = err.Error()
	} else {
		answer.Match = &match
	}
	return answer, nil
}
