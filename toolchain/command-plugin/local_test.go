package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

const localCommand = "command:local:Command"

func TestLocalCommandRunsTheWholeLifecycle(t *testing.T) {
	dir := t.TempDir()
	p := newPlugin(t, localCommand)
	inputs := properties{
		"create": text("cat; echo $GREETING >&2; pwd -P"), "stdin": text("in\n"), "dir": text(dir),
		"environment": property.New(properties{"GREETING": text("hello")}),
		"delete":      text("echo -n \"$PULUMI_COMMAND_STDERR\" > deleted"),
	}
	must(t, p.create(inputs, 0))
	p.expectOutput("stdout", "in\n"+dir)
	p.expectOutput("stderr", "hello")
	must(t, p.delete())
	deleted, err := os.ReadFile(filepath.Join(dir, "deleted"))
	must(t, err)
	if string(deleted) != "hello" {
		t.Errorf("delete saw the output %q of create, want hello", deleted)
	}
}

func TestLocalCommandUpdateFallsBackToCreate(t *testing.T) {
	p := newPlugin(t, localCommand)
	must(t, p.create(properties{"create": text("echo one")}, 0))
	must(t, p.update(properties{"create": text("echo two after $PULUMI_COMMAND_STDOUT")}))
	p.expectOutput("stdout", "two after one")
	must(t, p.update(properties{"create": text("exit 1"), "update": text("echo three")}))
	p.expectOutput("stdout", "three")
	must(t, p.update(properties{"update": text("echo [$PULUMI_COMMAND_STDOUT]"), "addPreviousOutputInEnv": property.New(false)}))
	p.expectOutput("stdout", "[]")
	must(t, p.update(properties{"stdin": text("no command is left")}))
	p.expectOutput("stdout", "[]")
}

func TestLocalCommandFailureTellsStatusCommandAndOutput(t *testing.T) {
	p := newPlugin(t, localCommand)
	err := p.create(properties{"create": text("echo so far; echo broken >&2; exit 3")}, 0)
	expectError(t, err, "exit status 3", "so far", "broken", "exit 3")
}

func TestLocalCommandUsesTheInterpreter(t *testing.T) {
	p := newPlugin(t, localCommand)
	must(t, p.create(properties{"create": text("print(6*7)"), "interpreter": list("python3", "-c")}, 0))
	p.expectOutput("stdout", "42")
}

func TestLocalCommandCollectsFilesByTheRules(t *testing.T) {
	p := newPlugin(t, localCommand)
	must(t, p.create(properties{
		"create":     text("mkdir -p a/b; touch a/one.js a/b/two.js a/b/secret.js a/three.txt"),
		"dir":        text(t.TempDir()),
		"assetPaths": list("a/**.js", "!**secret.*"), "archivePaths": list("a/*"),
	}, 0))
	expectKeys(t, "assets", p.state.Get("assets").AsMap().AsMap(), "a/b/two.js", "a/one.js")
	expectKeys(t, "archive", p.state.Get("archive").AsArchive().Assets, "a/one.js", "a/three.txt")
	if !p.state.Get("assets").AsMap().Get("a/one.js").IsAsset() {
		t.Error("assets holds something else than assets")
	}
}

func expectKeys[V any](t *testing.T, what string, value map[string]V, want ...string) {
	t.Helper()
	if got := slices.Sorted(maps.Keys(value)); !slices.Equal(got, want) {
		t.Errorf("%s holds %v, want %v", what, got, want)
	}
}

func TestLocalCommandStopsAtItsTimeout(t *testing.T) {
	p := newPlugin(t, localCommand)
	start := time.Now()
	err := p.create(properties{"create": text("echo begun; sleep 60; echo never")}, 1)
	expectError(t, err, "deadline exceeded", "begun")
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("it took %s to stop, want about 1 s", took)
	}
}

func TestLocalRunIsAFunction(t *testing.T) {
	p := newPlugin(t, localCommand)
	answer, err := p.server.Invoke(provider.InvokeRequest{
		Token: tokens.Type("command:local:run"), Args: property.NewMap(properties{"command": text("echo hi")}),
	})
	must(t, err)
	if got := answer.Return.Get("stdout").AsString(); got != "hi" {
		t.Errorf("stdout is %q, want hi", got)
	}
}

func TestTriggersReplaceAndOtherInputsUpdate(t *testing.T) {
	p := newPlugin(t, localCommand)
	must(t, p.create(properties{"create": text("true")}, 0))
	for property, kind := range p.diff(properties{"create": text("true"), "triggers": list("a")}) {
		if property != "triggers" || kind.Kind != provider.AddReplace {
			t.Errorf("a first trigger makes %s %s, want a replacement by triggers", property, kind.Kind)
		}
	}
	for property, kind := range p.diff(properties{"create": text("false")}) {
		if property != "create" || kind.Kind != provider.Update {
			t.Errorf("another command makes %s %s, want an update of create", property, kind.Kind)
		}
	}
}
