package local

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/gobwas/glob"
	"github.com/pulumi/pulumi-go-provider/infer/types"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
)

// collect adds the files that the command was asked to leave.
func (p Process) collect(output Output) (Result, error) {
	result := Result{Output: output}
	if p.AssetPaths != nil {
		assets, err := p.assets(p.AssetPaths)
		if err != nil {
			return Result{}, fmt.Errorf("assetPaths: %w", err)
		}
		result.Assets = map[string]types.AssetOrArchive{}
		for path, found := range assets {
			result.Assets[path] = types.AssetOrArchive{Asset: found}
		}
	}
	if p.ArchivePaths != nil {
		assets, err := p.assets(p.ArchivePaths)
		if err != nil {
			return Result{}, fmt.Errorf("archivePaths: %w", err)
		}
		members := map[string]any{}
		for path, member := range assets {
			members[path] = member
		}
		if result.Archive, err = resource.NewAssetArchive(members); err != nil {
			return Result{}, fmt.Errorf("archivePaths: %w", err)
		}
	}
	return result, nil
}

// assets are the files that match the rules, by their path relative to the working directory.
func (p Process) assets(rules []string) (map[string]*resource.Asset, error) {
	matches, err := compile(rules)
	if err != nil {
		return nil, err
	}
	dir := "."
	if p.Dir != nil {
		dir = *p.Dir
	}
	assets := map[string]*resource.Asset{}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || !matches(filepath.ToSlash(name)) {
			return err
		}
		assets[filepath.ToSlash(name)], err = asset.FromPath(path)
		return err
	})
	return assets, err
}

// compile makes one test of the rules; a later rule overrules an earlier one, `!` excludes.
func compile(rules []string) (func(path string) bool, error) {
	type rule struct {
		pattern glob.Glob
		include bool
	}
	compiled := make([]rule, 0, len(rules))
	for _, text := range rules {
		text, exclude := strings.CutPrefix(text, "!")
		pattern, err := glob.Compile(text, '/')
		if err != nil {
			return nil, fmt.Errorf("%q is no glob pattern: %w", text, err)
		}
		compiled = append(compiled, rule{pattern, !exclude})
	}
	return func(path string) bool {
		matched := false
		for _, rule := range compiled {
			if rule.pattern.Match(path) {
				matched = rule.include
			}
		}
		return matched
	}, nil
}
