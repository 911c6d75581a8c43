package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"golang.org/x/crypto/ssh"

	"vnfm/toolchain/command-plugin/command"
)

// Command is command:remote:Command.
type Command struct{}

// CommandInputs are its inputs.
type CommandInputs struct {
	command.Lifecycle
	AddPreviousOutputInEnv *bool             `pulumi:"addPreviousOutputInEnv,optional"`
	Connection             *Connection       `pulumi:"connection" provider:"secret"`
	Environment            map[string]string `pulumi:"environment,optional"`
	Logging                *Logging          `pulumi:"logging,optional"`
	Stdin                  *string           `pulumi:"stdin,optional"`
}

// CommandState is its state.
type CommandState struct {
	CommandInputs
	command.Output
}

// Logging chooses the streams that are shown while the command runs.
type Logging string

// Values are the choices.
func (Logging) Values() []infer.EnumValue[Logging] {
	return []infer.EnumValue[Logging]{
		{Name: "Stdout", Value: "stdout"},
		{Name: "Stderr", Value: "stderr"},
		{Name: "StdoutAndStderr", Value: "stdoutAndStderr"},
		{Name: "None", Value: "none"},
	}
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
	state := CommandState{CommandInputs: req.Inputs, Output: req.State.Output}
	if req.DryRun {
		return infer.UpdateResponse[CommandState]{Output: state}, nil
	}
	err := state.run(ctx, req.Inputs.OnUpdate())
	return infer.UpdateResponse[CommandState]{Output: state}, err
}

// Delete runs the `delete` of the state over the connection of the state, not those of the program.
func (Command) Delete(ctx context.Context, req infer.DeleteRequest[CommandState]) (infer.DeleteResponse, error) {
	return infer.DeleteResponse{}, req.State.run(ctx, req.State.Delete)
}

func (s *CommandState) run(ctx context.Context, script *string) error {
	if script == nil {
		return nil
	}
	client, err := s.Connection.Dial(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		return fmt.Errorf("open a session on %s: %w", s.Connection.Host, err)
	}
	defer session.Close()
	if err := s.setEnvironment(ctx, session); err != nil {
		return err
	}
	if s.Stdin != nil {
		session.Stdin = strings.NewReader(*s.Stdin)
	}
	streams := command.NewStreams(ctx, string(valueOr(s.Logging, "")))
	session.Stdout, session.Stderr = streams.Stdout(), streams.Stderr()
	err = session.Run(*script)
	if err != nil && ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	output, err := streams.Finish(*script, err)
	if err == nil {
		s.Output = output
	}
	return err
}

// setEnvironment fails for a variable that was asked for, and only warns for the output of the command before.
func (s *CommandState) setEnvironment(ctx context.Context, session *ssh.Session) error {
	for name, value := range s.Environment {
		if err := session.Setenv(name, value); err != nil {
			return fmt.Errorf("environment.%s: %s does not take it (AcceptEnv in its sshd_config): %w", name, s.Connection.Host, err)
		}
	}
	for name, value := range s.Output.Previous(s.AddPreviousOutputInEnv) {
		if err := session.Setenv(name, value); err != nil {
			provider.GetLogger(ctx).Warningf("%s is not set: %s does not take it (AcceptEnv in its sshd_config); "+
				"set addPreviousOutputInEnv to false if the command does not need it: %v", name, s.Connection.Host, err)
		}
	}
	return nil
}
