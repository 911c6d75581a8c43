package local

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	provider "github.com/pulumi/pulumi-go-provider"
)

// Streams keeps what a command prints and passes complete lines on to the log of the resource.
type Streams struct {
	mutex   sync.Mutex // stdout and stderr are written by goroutines of their own
	both    bytes.Buffer
	streams [2]*stream
}

type stream struct {
	parent *Streams
	all    bytes.Buffer
	line   bytes.Buffer
	log    func(string) // nil: not logged
}

// NewStreams logs to the resource that ctx belongs to, as the input `logging` says.
func NewStreams(ctx context.Context, logging string) *Streams {
	logger := provider.GetLogger(ctx)
	s := &Streams{}
	for i, name := range []string{"stdout", "stderr"} {
		s.streams[i] = &stream{parent: s}
		if logging == name || logging == "" || logging == "stdoutAndStderr" {
			s.streams[i].log = logger.Info
		}
	}
	return s
}

// Stdout takes the standard output.
func (s *Streams) Stdout() io.Writer { return s.streams[0] }

// Stderr takes the standard error.
func (s *Streams) Stderr() io.Writer { return s.streams[1] }

// Finish is called when the command has ended, with its error; script is the command, for the message.
func (s *Streams) Finish(script string, err error) (Output, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, stream := range s.streams {
		stream.flush()
	}
	if err != nil {
		return Output{}, fmt.Errorf("%w: running %q:\n%s", err, script, s.both.String())
	}
	return Output{
		Stdout: strings.TrimSuffix(s.streams[0].all.String(), "\n"),
		Stderr: strings.TrimSuffix(s.streams[1].all.String(), "\n"),
	}, nil
}

func (s *stream) Write(p []byte) (int, error) {
	s.parent.mutex.Lock()
	defer s.parent.mutex.Unlock()
	s.parent.both.Write(p)
	s.all.Write(p)
	if s.log == nil {
		return len(p), nil
	}
	rest := p
	for {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			s.line.Write(rest)
			return len(p), nil
		}
		s.line.Write(rest[:end])
		s.log(s.line.String())
		s.line.Reset()
		rest = rest[end+1:]
	}
}

// flush logs a last line that has no end.
func (s *stream) flush() {
	if s.log != nil && s.line.Len() > 0 {
		s.log(s.line.String())
		s.line.Reset()
	}
}
