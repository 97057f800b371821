package main

import (
	"context"
	"encoding/json"
	"testing"
)

type benchAnswer struct {
	MatchNanoseconds   int64 `json:"matchNanoseconds"`
	CompileNanoseconds int64 `json:"compileNanoseconds"`
	Allocations        int64 `json:"allocations"`
}

// benchSelector measures one evaluation, and one compilation with type check and cost estimate.
func benchSelector(raw json.RawMessage) (any, error) {
	var question selectorQuestion
	if err := json.Unmarshal(raw, &question); err != nil {
		return nil, err
	}
	compiler, options, device := compilerFor(question.Gates), question.options(), question.device()
	compiled := compiler.CompileCELExpression(question.Expression, options)
	if compiled.Error != nil {
		return nil, compiled.Error
	}
	matching := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			compiled.DeviceMatches(context.Background(), device)
		}
	})
	compiling := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			compiler.CompileCELExpression(question.Expression, options)
		}
	})
	return benchAnswer{matching.NsPerOp(), compiling.NsPerOp(), matching.AllocsPerOp()}, nil
}
