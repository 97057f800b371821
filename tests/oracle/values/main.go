// Command values says what Kubernetes makes of quantities and semantic versions.
//
// It reads one question a line from stdin, {"quantities": [a, b]} or {"versions": [a, b]}, and writes the question with its answers.
// tests/vectors/quantities.jsonl.gz and versions.jsonl.gz are such answers:
//
//	go run . < questions > answers
package main

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"

	"github.com/blang/semver/v4"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Question and its answers.
type line struct {
	Quantities []string  `json:"quantities,omitempty"`
	Read       []reading `json:"read,omitempty"`
	Versions   []string  `json:"versions,omitempty"`
	Parsed     []parsing `json:"parsed,omitempty"`
	Compare    *int      `json:"compare,omitempty"`
	Add        *reading  `json:"add,omitempty"`
	Sub        *reading  `json:"sub,omitempty"`
	Back       *reading  `json:"back,omitempty"` // (a - b) + b
}

type reading struct {
	Error   string `json:"error,omitempty"`
	Text    string `json:"text,omitempty"`
	Format  string `json:"format,omitempty"`
	Integer string `json:"integer,omitempty"` // absent when AsInt64 gives none
	Float   string `json:"float,omitempty"`   // Go's %x form, which is exact
	Sign    int    `json:"sign,omitempty"`
}

type parsing struct {
	Error string `json:"error,omitempty"`
	Text  string `json:"text,omitempty"`
}

func describe(quantity resource.Quantity) *reading {
	answer := &reading{Format: string(quantity.Format), Sign: quantity.Sign()}
	if integer, ok := quantity.AsInt64(); ok {
		answer.Integer = strconv.FormatInt(integer, 10)
	}
	float := quantity.AsApproximateFloat64()
	answer.Float = strconv.FormatFloat(float, 'x', -1, 64)
	if math.IsNaN(float) {
		answer.Float = "nan"
	}
	answer.Text = quantity.String()
	return answer
}

// Quantities share memory when they are copied, so each computation reads its own.
func read(text string) resource.Quantity { return resource.MustParse(text) }

func quantities(question *line) {
	for _, text := range question.Quantities {
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			question.Read = append(question.Read, reading{Error: err.Error()})
			continue
		}
		question.Read = append(question.Read, *describe(quantity))
	}
	for _, answer := range question.Read {
		if answer.Error != "" {
			return
		}
	}
	a, b := question.Quantities[0], question.Quantities[1]
	left := read(a)
	compared := left.Cmp(read(b))
	question.Compare = &compared
	left = read(a)
	left.Add(read(b))
	question.Add = describe(left)
	left = read(a)
	left.Sub(read(b))
	question.Sub = describe(left)
	left.Add(read(b))
	question.Back = describe(left)
}

func versions(question *line) {
	var parsed []semver.Version
	for _, text := range question.Versions {
		version, err := semver.Parse(text)
		if err != nil {
			question.Parsed = append(question.Parsed, parsing{Error: err.Error()})
			continue
		}
		question.Parsed = append(question.Parsed, parsing{Text: version.String()})
		parsed = append(parsed, version)
	}
	if len(parsed) == 2 {
		compared := parsed[0].Compare(parsed[1])
		question.Compare = &compared
	}
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 1<<20), 1<<26)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for input.Scan() {
		var question line
		if err := json.Unmarshal(input.Bytes(), &question); err != nil {
			panic(err)
		}
		if len(question.Quantities) > 0 {
			quantities(&question)
		} else {
			versions(&question)
		}
		if err := encoder.Encode(question); err != nil {
			panic(err)
		}
	}
}
