// Command oracle asks the real Kubernetes code what our own code must say: one JSON question a line on standard input, one JSON answer a line, in order.
//
//	oracle cel        a selector on a device, as kube-scheduler or the API server judges it
//	oracle bench      what matching and compiling that selector takes on this machine
//	oracle alloc      claims on a node, as the scheduler's allocator serves them
//	oracle benchalloc what that takes on this machine
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// programs are what the first argument may name: each turns one question into one answer.
var programs = map[string]func(json.RawMessage) (any, error){
	"cel":        answerSelector,
	"bench":      benchSelector,
	"alloc":      answerAllocation,
	"benchalloc": benchAllocation,
}

func main() {
	if len(os.Args) != 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: oracle cel|bench|alloc|benchalloc < questions.jsonl")
		os.Exit(2)
	}
	if err := serve(programs[os.Args[1]]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// serve answers line by line; it flushes when no further question waits, so that a caller may ask one at a time.
func serve(answer func(json.RawMessage) (any, error)) error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		question, err := in.ReadBytes('\n')
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil {
			return err
		}
		reply, err := answer(question)
		if err != nil {
			return fmt.Errorf("%s: %w", question, err)
		}
		if err := encoder.Encode(reply); err != nil {
			return err
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}
