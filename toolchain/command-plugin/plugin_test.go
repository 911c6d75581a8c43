package main

import (
	"context"
	"strings"
	"testing"

	"github.com/blang/semver"
	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/integration"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	sdkplugin "github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

type properties = map[string]property.Value

// plugin drives the plugin as the engine does: check, then create, update or delete.
type plugin struct {
	t      *testing.T
	server integration.Server
	urn    resource.URN
	inputs property.Map // of the last operation
	state  property.Map
	id     string
}

// newPlugin is for one resource of a type such as command:local:Command.
func newPlugin(t *testing.T, kind string) *plugin {
	t.Helper()
	made, err := newProvider()
	must(t, err)
	server, err := integration.NewServer(context.Background(), "command", semver.MustParse(version), integration.WithProvider(made))
	must(t, err)
	urn := resource.NewURN("test", "test", "", tokens.Type(kind), "example")
	return &plugin{t: t, server: server, urn: urn}
}

func (p *plugin) check(inputs properties) property.Map {
	p.t.Helper()
	checked, err := p.server.Check(provider.CheckRequest{Urn: p.urn, State: p.inputs, Inputs: property.NewMap(inputs)})
	must(p.t, err)
	if len(checked.Failures) > 0 {
		p.t.Fatalf("check refuses the inputs: %v", checked.Failures)
	}
	return p.wire(checked.Inputs)
}

// create bounds the operation by a custom timeout in seconds; 0 is none.
func (p *plugin) create(inputs properties, timeout float64) error {
	p.t.Helper()
	checked := p.check(inputs)
	made, err := p.server.Create(provider.CreateRequest{Urn: p.urn, Properties: checked, Timeout: timeout})
	if err == nil {
		p.id, p.inputs, p.state = made.ID, checked, p.wire(made.Properties)
	}
	return err
}

func (p *plugin) update(inputs properties) error {
	p.t.Helper()
	checked := p.check(inputs)
	made, err := p.server.Update(provider.UpdateRequest{ID: p.id, Urn: p.urn, State: p.state, OldInputs: p.inputs, Inputs: checked})
	if err == nil {
		p.inputs, p.state = checked, p.wire(made.Properties)
	}
	return err
}

func (p *plugin) delete() error {
	p.t.Helper()
	return p.server.Delete(provider.DeleteRequest{ID: p.id, Urn: p.urn, Properties: p.state, OldInputs: p.inputs})
}

// diff is the detailed difference of new inputs to those of the last operation.
func (p *plugin) diff(inputs properties) map[string]provider.PropertyDiff {
	p.t.Helper()
	answer, err := p.server.Diff(provider.DiffRequest{
		ID: p.id, Urn: p.urn, State: p.state, OldInputs: p.inputs, Inputs: p.check(inputs),
	})
	must(p.t, err)
	return answer.DetailedDiff
}

// wire is what the properties become on their way to the engine and back; it makes assets of encoded assets.
func (p *plugin) wire(properties property.Map) property.Map {
	p.t.Helper()
	options := sdkplugin.MarshalOptions{KeepSecrets: true, KeepUnknowns: true}
	sent, err := sdkplugin.MarshalProperties(resource.ToResourcePropertyMap(properties), options)
	must(p.t, err)
	received, err := sdkplugin.UnmarshalProperties(sent, options)
	must(p.t, err)
	return resource.FromResourcePropertyMap(received)
}

func (p *plugin) expectOutput(name, want string) {
	p.t.Helper()
	if got := p.state.Get(name).AsString(); got != want {
		p.t.Errorf("%s is %q, want %q", name, got, want)
	}
}

// expectError wants an error that contains each of the texts.
func expectError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error lacks %q:\n%v", text, err)
		}
	}
}

func text(value string) property.Value { return property.New(value) }

func list(values ...string) property.Value {
	items := make([]property.Value, len(values))
	for i, value := range values {
		items[i] = text(value)
	}
	return property.New(items)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
