package local

import (
	"context"

	"github.com/pulumi/pulumi-go-provider/infer"
)

// Run is the function command:local:run; it runs in previews too.
type Run struct{}

// RunInputs are its arguments.
type RunInputs struct {
	Process
	Command string `pulumi:"command"`
}

// RunResult is its result.
type RunResult struct {
	RunInputs
	Result
}

// Invoke runs the command.
func (Run) Invoke(ctx context.Context, req infer.FunctionRequest[RunInputs]) (infer.FunctionResponse[RunResult], error) {
	result, err := req.Input.run(ctx, req.Input.Command, Output{})
	return infer.FunctionResponse[RunResult]{Output: RunResult{RunInputs: req.Input, Result: result}}, err
}
