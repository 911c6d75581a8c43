// Package local runs commands on this machine.
package local

import (
	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi-go-provider/infer/types"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// Process says how a command is run.
type Process struct {
	AddPreviousOutputInEnv *bool             `pulumi:"addPreviousOutputInEnv,optional"`
	ArchivePaths           []string          `pulumi:"archivePaths,optional"`
	AssetPaths             []string          `pulumi:"assetPaths,optional"`
	Dir                    *string           `pulumi:"dir,optional"`
	Environment            map[string]string `pulumi:"environment,optional"`
	Interpreter            []string          `pulumi:"interpreter,optional"`
	Logging                *Logging          `pulumi:"logging,optional"`
	Stdin                  *string           `pulumi:"stdin,optional"`
}

// Result is what a command leaves behind.
type Result struct {
	Output
	Archive *resource.Archive               `pulumi:"archive,optional"`
	Assets  map[string]types.AssetOrArchive `pulumi:"assets,optional"`
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
