// Prints components/settings/kubeadm-fields.json: the fields of the configurations that kubeadm takes, as the Go types of
// Kubernetes' releases have them. Needs the Go module proxy.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
)

// A release of each minor version, the oldest first. Patch releases have the same fields, but the proxy has not all.
var releases = []struct{ minor, kubernetes, kubelet, kubeProxy string }{
	{"31", "v1.31.14", "v0.31.14", "v0.31.0"},
	{"32", "v1.32.13", "v0.32.13", "v0.32.13"},
	{"33", "v1.33.0", "v0.33.0", "v0.33.0"},
	{"34", "v1.34.4", "v0.34.4", "v0.34.4"},
	{"35", "v1.35.0", "v0.35.10", "v0.35.10"},
	{"36", "v1.36.0", "v0.36.6", "v0.36.6"},
	{"37", "v1.37.2", "v0.37.2", "v0.37.2"},
}

// Fields by their JSON names: "string", "duration", "boolean", "integer", "number", "any", the name of a type, or a list
// or a map of one of these.
type fields map[string]any

type list struct {
	List any `json:"list"`
}
type dictionary struct {
	Map any `json:"map"`
}

type table struct {
	// The oldest and the newest minor version of Kubernetes that the table knows.
	Minors [2]json.Number    `json:"minors"`
	Types  map[string]fields `json:"types"`
	// Minor versions from which on there are fields that the oldest has not, by type.
	Since map[string]map[string]json.Number `json:"since"`
}

func main() {
	log.SetFlags(0)
	oldest, newest := releases[0].minor, releases[len(releases)-1].minor
	all := table{
		Minors: [2]json.Number{json.Number(oldest), json.Number(newest)},
		Types:  map[string]fields{},
		Since:  map[string]map[string]json.Number{},
	}
	for _, release := range releases {
		all.add(release.minor, release.minor == oldest, typesOf(
			filepath.Join(download("k8s.io/kubernetes", release.kubernetes), "cmd/kubeadm/app/apis/kubeadm/v1beta4"),
			filepath.Join(download("k8s.io/kubelet", release.kubelet), "config/v1beta1"),
			filepath.Join(download("k8s.io/kube-proxy", release.kubeProxy), "config/v1alpha1"),
			filepath.Join(download("k8s.io/component-base", release.kubelet), "config/v1alpha1"),
			filepath.Join(download("k8s.io/component-base", release.kubelet), "logs/api/v1"),
			filepath.Join(download("k8s.io/component-base", release.kubelet), "tracing/api/v1"),
		))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(all); err != nil {
		log.Fatal(err)
	}
}

// The folder of a module.
func download(module, version string) string {
	answer, err := exec.Command("go", "mod", "download", "-json", module+"@"+version).Output()
	var found struct{ Dir string }
	if json.Unmarshal(answer, &found) != nil || found.Dir == "" {
		log.Fatalf("%s %s: %v %s", module, version, err, answer)
	}
	return found.Dir
}

// Adds the types of a minor version. A field keeps its type for as long as its API version lives.
func (all *table) add(minor string, isOldest bool, types map[string]fields) {
	for name, known := range all.Types {
		for field := range known {
			if _, there := types[name][field]; !there {
				log.Fatalf("1.%s has no %s.%s any more, which the table cannot say", minor, name, field)
			}
		}
	}
	for name, present := range types {
		known, there := all.Types[name]
		if !there {
			known = fields{}
			all.Types[name] = known
		}
		for field, kind := range present {
			before, knows := known[field]
			if knows && !reflect.DeepEqual(before, kind) {
				log.Fatalf("1.%s has another type of %s.%s", minor, name, field)
			}
			known[field] = kind
			// a type that is new as a whole is reached by a new field only
			if !knows && there && !isOldest {
				if all.Since[name] == nil {
					all.Since[name] = map[string]json.Number{}
				}
				all.Since[name][field] = json.Number(minor)
			}
		}
	}
}

// What is declared in some packages.
type declared struct {
	types map[string]ast.Expr
	// Those that read JSON in a way of their own.
	special map[string]bool
}

// The three configurations, and the types that they use.
func typesOf(folders ...string) map[string]fields {
	all := declared{map[string]ast.Expr{}, map[string]bool{}}
	for _, folder := range folders {
		all.read(folder)
	}
	types := map[string]fields{}
	for _, root := range []string{"ClusterConfiguration", "KubeletConfiguration", "KubeProxyConfiguration"} {
		all.kindOf(ast.NewIdent(root), types)
	}
	return types
}

func (all *declared) read(folder string) {
	isSource := func(file fs.FileInfo) bool { return !strings.HasSuffix(file.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), folder, isSource, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	for _, source := range packages {
		ast.Inspect(source, func(node ast.Node) bool {
			switch it := node.(type) {
			case *ast.TypeSpec:
				if _, there := all.types[it.Name.Name]; there {
					log.Fatalf("two types have the name %s", it.Name)
				}
				all.types[it.Name.Name] = it.Type
			case *ast.FuncDecl:
				if it.Name.Name == "UnmarshalJSON" && it.Recv != nil {
					if pointer, is := it.Recv.List[0].Type.(*ast.StarExpr); is {
						all.special[fmt.Sprint(pointer.X)] = true
					}
				}
				return false
			}
			return true
		})
	}
}

// What a field of a type is; adds the structs that it is made of.
func (all *declared) kindOf(expression ast.Expr, types map[string]fields) any {
	switch it := expression.(type) {
	case *ast.StarExpr:
		return all.kindOf(it.X, types)
	case *ast.ArrayType:
		return list{all.kindOf(it.Elt, types)}
	case *ast.MapType:
		return dictionary{all.kindOf(it.Value, types)}
	case *ast.SelectorExpr:
		switch fmt.Sprint(it.X) {
		case "componentbaseconfigv1alpha1", "logsapi", "tracingapi":
			return all.kindOf(it.Sel, types)
		}
		if it.Sel.Name == "Duration" {
			return "duration"
		}
		return "any"
	case *ast.Ident:
		return all.named(it.Name, types)
	}
	log.Fatalf("a field of another kind: %T", expression)
	return nil
}

func (all *declared) named(name string, types map[string]fields) any {
	switch name {
	case "string":
		return "string"
	case "bool":
		return "boolean"
	case "float32", "float64":
		return "number"
	case "int", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
		return "integer"
	}
	expression, there := all.types[name]
	if !there || all.special[name] {
		return "any"
	}
	structure, is := expression.(*ast.StructType)
	if !is {
		return all.kindOf(expression, types)
	}
	if _, known := types[name]; !known {
		types[name] = fields{}
		for _, field := range structure.Fields.List {
			if !all.addField(types[name], field, types) {
				delete(types, name)
				return "any"
			}
		}
	}
	return name
}

// False for a field that embeds what is not known here.
func (all *declared) addField(to fields, field *ast.Field, types map[string]fields) bool {
	name := ""
	if field.Tag != nil {
		tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
		name, _, _ = strings.Cut(tag, ",")
	}
	if name == "-" {
		return true
	}
	if name != "" {
		to[name] = all.kindOf(field.Type, types)
		return true
	}
	if len(field.Names) > 0 {
		log.Fatalf("%v has no JSON name", field.Names)
	}
	if selector, is := field.Type.(*ast.SelectorExpr); is && selector.Sel.Name == "TypeMeta" {
		to["apiVersion"], to["kind"] = "string", "string"
		return true
	}
	embedded, is := all.kindOf(field.Type, types).(string)
	for key, kind := range types[embedded] {
		to[key] = kind
	}
	return is && types[embedded] != nil
}
