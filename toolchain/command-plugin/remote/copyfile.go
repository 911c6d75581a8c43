package remote

import (
	"context"

	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// CopyFile is command:remote:CopyFile, which CopyToRemote has succeeded. Every change copies anew.
type CopyFile struct{}

// CopyFileInputs are its inputs and its state.
type CopyFileInputs struct {
	Connection *Connection `pulumi:"connection" provider:"secret"`
	LocalPath  string      `pulumi:"localPath"`
	RemotePath string      `pulumi:"remotePath"`
	Triggers   []any       `pulumi:"triggers,optional"`
}

// Create copies.
func (CopyFile) Create(ctx context.Context, req infer.CreateRequest[CopyFileInputs]) (infer.CreateResponse[CopyFileInputs], error) {
	id, err := resource.NewUniqueHex("", 8, 0)
	if err == nil && !req.DryRun {
		err = copyPath(ctx, req.Inputs.Connection, req.Inputs.LocalPath, req.Inputs.RemotePath)
	}
	return infer.CreateResponse[CopyFileInputs]{ID: id, Output: req.Inputs}, err
}
