package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// allocationQuestion is what the scheduler's allocator is given: the features that are on, objects, the node, and what is in use already.
type allocationQuestion struct {
	Features []string                     `json:"features"`
	Lists    bool                         `json:"lists"` // whether selectors know lists, too
	Node     *corev1.Node                 `json:"node"`
	Slices   []*resourceapi.ResourceSlice `json:"slices"`
	Classes  classLister                  `json:"classes"`
	Claims   []*resourceapi.ResourceClaim `json:"claims"`
	InUse    [][3]string                  `json:"inUse"`
	Shares   []share                      `json:"shares"`
	Times    int                          `json:"times"` // how often it is asked; the different answers are given
	Seconds  float64                      `json:"seconds"` // how long one answer may take; no further one is asked for after ten times that
}

// share is a part of a device that another claim has.
type share struct {
	Device   [3]string                                       `json:"device"`
	ID       types.UID                                       `json:"id"`
	Consumed map[resourceapi.QualifiedName]resource.Quantity `json:"consumed"`
}

// allocationAnswer has the result, one for each claim or none where nothing fits, or an error.
type allocationAnswer struct {
	Result      []resourceapi.AllocationResult `json:"result"`
	Error       string                         `json:"error,omitempty"`
	Nanoseconds int64                          `json:"-"`
}

type classLister []*resourceapi.DeviceClass

func (l classLister) List() ([]*resourceapi.DeviceClass, error) { return l, nil }

func (l classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range l {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("device class %s not found", name)
}

// features fills structured.Features; 1.34 has two fields for what later is one.
func (q *allocationQuestion) features() structured.Features {
	var features structured.Features
	for _, name := range q.Features {
		names := []string{name}
		if _, known := reflect.TypeOf(features).FieldByName(name); !known && name == "DeviceBindingAndStatus" {
			names = []string{"DeviceBinding", "DeviceStatus"}
		}
		for _, name := range names {
			reflect.ValueOf(&features).Elem().FieldByName(name).SetBool(true)
		}
	}
	return features
}

func (q *allocationQuestion) cache() *cel.Cache {
	var features cel.Features
	if field := reflect.ValueOf(&features).Elem().FieldByName("EnableListTypeAttributes"); field.IsValid() {
		field.SetBool(q.Lists)
	}
	return cel.NewCache(100, features)
}

func (q *allocationQuestion) ask(cache *cel.Cache) (answer allocationAnswer) {
	used := sets.New[structured.DeviceID]()
	for _, device := range q.InUse {
		used.Insert(structured.MakeDeviceID(device[0], device[1], device[2]))
	}
	state := structured.AllocatedState{
		AllocatedDevices:         used,
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, each := range q.Shares {
		device := structured.MakeDeviceID(each.Device[0], each.Device[1], each.Device[2])
		state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(device, &each.ID))
		if len(each.Consumed) > 0 {
			state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(device, each.Consumed))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(q.Seconds*float64(time.Second)))
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			answer = allocationAnswer{Error: fmt.Sprint("panic: ", cause)}
		}
	}()
	// The allocators of 1.34 to 1.36 change amounts of the claims; each answer is the first for claims that were just read.
	claims := make([]*resourceapi.ResourceClaim, len(q.Claims))
	for index, claim := range q.Claims {
		claims[index] = claim.DeepCopy()
	}
	start := time.Now()
	allocator, err := structured.NewAllocator(ctx, q.features(), state, q.Classes, q.Slices, cache)
	if err == nil {
		answer.Result, err = allocator.Allocate(ctx, q.Node, claims)
	}
	answer.Nanoseconds = time.Since(start).Nanoseconds()
	if err != nil {
		answer = allocationAnswer{Error: err.Error(), Nanoseconds: answer.Nanoseconds}
	}
	return answer
}

// answerAllocation gives the different answers, in the order in which they came.
func answerAllocation(raw json.RawMessage) (any, error) {
	var question allocationQuestion
	if err := json.Unmarshal(raw, &question); err != nil {
		return nil, err
	}
	cache := question.cache()
	var answers []json.RawMessage
	seen := sets.New[string]()
	start := time.Now()
	for range max(1, question.Times) {
		if len(answers) > 0 && time.Since(start).Seconds() > 10*question.Seconds {
			break
		}
		answer := question.ask(cache)
		for claim := range answer.Result {
			for device := range answer.Result[claim].Devices.Results {
				// The identity of a share is random; that there is one shows in what it consumes.
				answer.Result[claim].Devices.Results[device].ShareID = nil
			}
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		if !seen.Has(string(text)) {
			seen.Insert(string(text))
			answers = append(answers, text)
		}
	}
	return map[string]any{"answers": answers}, nil
}

// benchAllocation gives the nanoseconds of the fastest of some rounds, with compiled selectors kept from one to the next as the scheduler keeps them.
func benchAllocation(raw json.RawMessage) (any, error) {
	var question allocationQuestion
	if err := json.Unmarshal(raw, &question); err != nil {
		return nil, err
	}
	cache := question.cache()
	best := question.ask(cache).Nanoseconds
	for range max(1, question.Times) {
		best = min(best, question.ask(cache).Nanoseconds)
	}
	return map[string]any{"nanoseconds": best}, nil
}
