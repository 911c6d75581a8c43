// Writes the SDK of a Pulumi package for a language, by the generators of the CLI:
//
//	sdk-generator LANGUAGE FOLDER <schema.json
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "vnfm's sdk-generator"

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: sdk-generator go|nodejs|python FOLDER <schema.json")
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func generate(language, folder string) error {
	var spec schema.PackageSpec
	if err := json.NewDecoder(os.Stdin).Decode(&spec); err != nil {
		return fmt.Errorf("the schema is no JSON of a package: %w", err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return err
	}
	if len(diagnostics) > 0 {
		return diagnostics
	}
	files, err := filesOf(language, pkg)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func filesOf(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "go":
		return golang.GeneratePackage(tool, pkg, nil)
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, nil)
	case "python":
		return python.GeneratePackage(tool, pkg, nil, nil)
	default:
		return nil, fmt.Errorf("%s: choose from go, nodejs, python", language)
	}
}
