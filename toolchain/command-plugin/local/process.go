package local

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// How long a cancelled command may take to end by itself.
const grace = 5 * time.Second

// run runs the script; previous is the output of the run before, where there was one.
func (p Process) run(ctx context.Context, script string, previous Output) (Result, error) {
	interpreter := p.Interpreter
	if len(interpreter) == 0 {
		interpreter = []string{"/bin/sh", "-c"}
	}
	args := append(append([]string{}, interpreter[1:]...), script)
	process := exec.CommandContext(ctx, interpreter[0], args...)
	process.Env = p.environment(previous)
	if p.Dir != nil {
		process.Dir = *p.Dir
	}
	if p.Stdin != nil {
		process.Stdin = strings.NewReader(*p.Stdin)
	}
	// A group of its own, so that a cancelled shell does not leave its children behind.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process.Cancel = func() error { return end(process.Process.Pid) }

	logging := ""
	if p.Logging != nil {
		logging = string(*p.Logging)
	}
	streams := NewStreams(ctx, logging)
	process.Stdout, process.Stderr = streams.Stdout(), streams.Stderr()
	err := process.Run()
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	output, err := streams.Finish(script, err)
	if err != nil {
		return Result{}, err
	}
	return p.collect(output)
}

func (p Process) environment(previous Output) []string {
	environment := os.Environ()
	for name, value := range p.Environment {
		environment = append(environment, name+"="+value)
	}
	for name, value := range previous.Previous(p.AddPreviousOutputInEnv) {
		environment = append(environment, name+"="+value)
	}
	return environment
}

// end asks a process group to end and, after the grace, ends it.
func end(group int) error {
	time.AfterFunc(grace, func() { _ = syscall.Kill(-group, syscall.SIGKILL) })
	return syscall.Kill(-group, syscall.SIGTERM)
}
