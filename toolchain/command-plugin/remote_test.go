package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

const remoteCommand = "command:remote:Command"

func TestRemoteCommandRunsTheWholeLifecycle(t *testing.T) {
	server := startSSHD(t, "AcceptEnv GREETING PULUMI_COMMAND_*")
	p := newPlugin(t, remoteCommand)
	connection := server.connection(t, nil)
	deleted := filepath.Join(server.dir, "deleted")
	must(t, p.create(properties{
		"connection": connection, "create": text("cat; echo $GREETING >&2"), "stdin": text("in\n"),
		"environment": property.New(properties{"GREETING": text("hello")}),
		"delete":      text(fmt.Sprintf("echo -n $PULUMI_COMMAND_STDOUT > %s", deleted)),
	}, 0))
	p.expectOutput("stdout", "in")
	p.expectOutput("stderr", "hello")
	if !p.inputs.Get("connection").Secret() {
		t.Error("connection is no secret after check")
	}
	must(t, p.delete())
	content, err := os.ReadFile(deleted)
	must(t, err)
	if string(content) != "in" {
		t.Errorf("delete saw the output %q of create, want in", content)
	}
}

func TestRemoteCommandUpdateFallsBackToCreate(t *testing.T) {
	server := startSSHD(t, "AcceptEnv PULUMI_COMMAND_*")
	p := newPlugin(t, remoteCommand)
	connection := server.connection(t, nil)
	must(t, p.create(properties{"connection": connection, "create": text("echo one")}, 0))
	must(t, p.update(properties{"connection": connection, "create": text("echo two after $PULUMI_COMMAND_STDOUT")}))
	p.expectOutput("stdout", "two after one")
	must(t, p.update(properties{"connection": connection, "create": text("exit 1"), "update": text("echo three")}))
	p.expectOutput("stdout", "three")
}

func TestRemoteCommandWithoutAcceptEnv(t *testing.T) {
	server := startSSHD(t)
	p := newPlugin(t, remoteCommand)
	connection := server.connection(t, nil)
	err := p.create(properties{
		"connection": connection, "create": text("true"), "environment": property.New(properties{"GREETING": text("hello")}),
	}, 0)
	expectError(t, err, "environment.GREETING", "AcceptEnv")
	must(t, p.create(properties{"connection": connection, "create": text("echo one")}, 0))
	must(t, p.update(properties{"connection": connection, "create": text("echo \"[$PULUMI_COMMAND_STDOUT]\"")}))
	p.expectOutput("stdout", "[]")
}

func TestRemoteCommandWithOnlyDeleteDialsOnlyThen(t *testing.T) {
	server := prepareSSHD(t)
	p := newPlugin(t, remoteCommand)
	mark := filepath.Join(server.dir, "mark")
	must(t, p.create(properties{"connection": server.connection(t, nil), "delete": text("touch " + mark)}, 0))
	expectError(t, p.delete(), "connection refused")
	server.start(t)
	must(t, p.delete())
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("delete did not run: %v", err)
	}
}

func TestRemoteCommandDeleteUsesTheStateNotTheProgram(t *testing.T) {
	server := startSSHD(t)
	p := newPlugin(t, remoteCommand)
	mark := filepath.Join(server.dir, "mark")
	must(t, p.create(properties{"connection": server.connection(t, nil), "delete": text("touch " + mark)}, 0))
	p.check(properties{"connection": server.connection(t, map[string]property.Value{"port": property.New(1.0)}), "delete": text("exit 1")})
	must(t, p.delete())
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("the delete of the state did not run: %v", err)
	}
}

func TestRemoteCommandFailureTellsStatusCommandAndOutput(t *testing.T) {
	p := newPlugin(t, remoteCommand)
	err := p.create(properties{
		"connection": startSSHD(t).connection(t, nil), "create": text("echo so far; echo broken >&2; exit 3"),
	}, 0)
	expectError(t, err, "exited with status 3", "so far", "broken", "exit 3")
}

func TestLongLinesAndMuchOutputAreKept(t *testing.T) {
	p := newPlugin(t, remoteCommand)
	must(t, p.create(properties{
		"connection": startSSHD(t).connection(t, nil), "logging": text("none"),
		"create": text("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo end"),
	}, 0))
	if got := len(p.state.Get("stdout").AsString()); got != 1_000_004 {
		t.Errorf("stdout has %d bytes, want 1000004", got)
	}
}
