package remote

import (
	"context"
	"errors"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi-go-provider/infer/types"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// CopyToRemote is command:remote:CopyToRemote.
type CopyToRemote struct{}

// CopyInputs are its inputs and its state.
type CopyInputs struct {
	Connection *Connection          `pulumi:"connection" provider:"secret"`
	RemotePath string               `pulumi:"remotePath"`
	Source     types.AssetOrArchive `pulumi:"source"`
	Triggers   []any                `pulumi:"triggers,optional" provider:"replaceOnChanges"`
}

// Check refuses a source that is neither a path nor text.
func (CopyToRemote) Check(ctx context.Context, req infer.CheckRequest) (infer.CheckResponse[CopyInputs], error) {
	inputs, failures, err := infer.DefaultCheck[CopyInputs](ctx, req.NewInputs)
	source := inputs.Source
	known := source.Asset != nil || source.Archive != nil
	usable := source.Asset != nil && (source.Asset.IsPath() || source.Asset.IsText()) ||
		source.Archive != nil && source.Archive.IsPath()
	if err == nil && known && !usable {
		failures = append(failures, provider.CheckFailure{
			Property: "source", Reason: "must be a FileAsset, a StringAsset or a FileArchive",
		})
	}
	return infer.CheckResponse[CopyInputs]{Inputs: inputs, Failures: failures}, err
}

// Create copies.
func (CopyToRemote) Create(ctx context.Context, req infer.CreateRequest[CopyInputs]) (infer.CreateResponse[CopyInputs], error) {
	id, err := resource.NewUniqueHex("", 8, 0)
	if err == nil && !req.DryRun {
		err = req.Inputs.copy(ctx)
	}
	return infer.CreateResponse[CopyInputs]{ID: id, Output: req.Inputs}, err
}

// Update copies again if the content or the destination has changed; another connection to the same host is none.
func (CopyToRemote) Update(ctx context.Context, req infer.UpdateRequest[CopyInputs, CopyInputs]) (infer.UpdateResponse[CopyInputs], error) {
	var err error
	changed := req.Inputs.hash() != req.State.hash() || req.Inputs.RemotePath != req.State.RemotePath
	if changed && !req.DryRun {
		err = req.Inputs.copy(ctx)
	}
	return infer.UpdateResponse[CopyInputs]{Output: req.Inputs}, err
}

func (c *CopyInputs) hash() string {
	switch {
	case c.Source.Asset != nil:
		return c.Source.Asset.Hash
	case c.Source.Archive != nil:
		return c.Source.Archive.Hash
	default:
		return ""
	}
}

func (c *CopyInputs) copy(ctx context.Context) error {
	switch {
	case c.Source.Archive != nil:
		return copyPath(ctx, c.Connection, c.Source.Archive.Path, c.RemotePath)
	case c.Source.Asset != nil && c.Source.Asset.IsText():
		return copyText(ctx, c.Connection, c.Source.Asset.Text, c.RemotePath)
	case c.Source.Asset != nil:
		return copyPath(ctx, c.Connection, c.Source.Asset.Path, c.RemotePath)
	default:
		return errors.New("source: neither asset nor archive")
	}
}
