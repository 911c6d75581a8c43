package local

import (
	"context"

	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// Command is command:local:Command.
type Command struct{}

// CommandInputs are its inputs.
type CommandInputs struct {
	Lifecycle
	Process
}

// CommandState is its state.
type CommandState struct {
	CommandInputs
	Result
}

// Create runs `create`.
func (Command) Create(ctx context.Context, req infer.CreateRequest[CommandInputs]) (infer.CreateResponse[CommandState], error) {
	state := CommandState{CommandInputs: req.Inputs}
	id, err := resource.NewUniqueHex(req.Name, 8, 0)
	if err == nil && !req.DryRun {
		err = state.run(ctx, req.Inputs.Create)
	}
	return infer.CreateResponse[CommandState]{ID: id, Output: state}, err
}

// Update runs `update`, or `create` where there is none.
func (Command) Update(ctx context.Context, req infer.UpdateRequest[CommandInputs, CommandState]) (infer.UpdateResponse[CommandState], error) {
	state := CommandState{CommandInputs: req.Inputs, Result: req.State.Result}
	if req.DryRun {
		return infer.UpdateResponse[CommandState]{Output: state}, nil
	}
	err := state.run(ctx, req.Inputs.OnUpdate())
	return infer.UpdateResponse[CommandState]{Output: state}, err
}

// Delete runs the `delete` of the state, not that of the program.
func (Command) Delete(ctx context.Context, req infer.DeleteRequest[CommandState]) (infer.DeleteResponse, error) {
	return infer.DeleteResponse{}, req.State.run(ctx, req.State.Delete)
}

func (s *CommandState) run(ctx context.Context, script *string) error {
	if script == nil {
		return nil
	}
	result, err := s.Process.run(ctx, *script, s.Result.Output)
	if err != nil {
		return err
	}
	s.Result = result
	return nil
}
