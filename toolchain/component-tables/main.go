// Prints components/settings/component-tables.json: the feature gates, the admission plugins and the arguments of
// Kubernetes' components, as the sources of its releases have them. Needs the Go module proxy.
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
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A release of each minor version, the oldest first.
var releases = []struct {
	minor int
	patch string
}{{31, "14"}, {32, "13"}, {33, "0"}, {34, "4"}, {35, "0"}, {36, "0"}, {37, "2"}}

// Folders and files of k8s.io's modules in which a component has its arguments; those after a ! have arguments of others.
var argumentFolders = map[string][]string{
	"kube-apiserver": {
		"kubernetes/cmd/kube-apiserver/app/options", "kubernetes/pkg/controlplane/apiserver/options",
		"kubernetes/pkg/kubeapiserver/options", "kubernetes/plugin/pkg/admission/defaulttolerationseconds",
		"apiserver/pkg/server/options", "!apiserver/pkg/server/options/authorization.go",
		"!apiserver/pkg/server/options/coreapi.go",
		"component-base/metrics",
	},
	"kubelet": {"kubernetes/cmd/kubelet/app/options", "kubernetes/pkg/kubelet/config"},
	"kube-controller-manager": {
		"kubernetes/cmd/kube-controller-manager/app/options", "cloud-provider/options/kubecloudshared.go",
		"cloud-provider/options/cloudprovider.go", "cloud-provider/options/servicecontroller.go",
		"controller-manager/options", "controller-manager/config/options", "controller-manager/pkg/leadermigration/options",
		"apiserver/pkg/server/options/authentication.go", "apiserver/pkg/server/options/authorization.go",
		"apiserver/pkg/server/options/serving.go", "component-base/config/options", "component-base/metrics",
	},
	"kube-scheduler": {
		"kubernetes/cmd/kube-scheduler/app/options",
		"apiserver/pkg/server/options/authentication.go", "apiserver/pkg/server/options/authorization.go",
		"apiserver/pkg/server/options/serving.go", "component-base/config/options", "component-base/metrics",
	},
}

// Folders whose arguments each component has.
var sharedFolders = []string{
	"component-base/logs/api/v1", "component-base/cli/globalflag", "component-base/compatibility",
	"component-base/featuregate", "component-base/version/verflag",
}

// Arguments that a library gives each component.
var sharedArguments = []string{"help", "version"}

// Arguments of kubelets that cAdvisor registers (cmd/kubelet/app/options/globalflags_linux.go).
var cadvisorArguments = []string{
	"application-metrics-count-limit", "boot-id-file", "container-hints", "containerd", "containerd-namespace",
	"enable-load-reader", "event-storage-age-limit", "event-storage-event-limit", "global-housekeeping-interval",
	"housekeeping-interval", "log-cadvisor-usage", "machine-id-file", "storage-driver-buffer-duration", "storage-driver-db",
	"storage-driver-host", "storage-driver-password", "storage-driver-secure", "storage-driver-table", "storage-driver-user",
}

// Folders whose feature gates each component but kubeadm has.
var gateFolders = []string{
	"kubernetes/pkg/features", "apiserver/pkg/features", "apiextensions-apiserver/pkg/features", "client-go/features",
	"component-base/logs/api/v1", "component-base/metrics/features", "component-base/featuregate",
	"component-base/version", "controller-manager/pkg/features", "component-base/zpages/features",
	"kube-aggregator/pkg/features",
}

// The first and the last of the minor versions that have something.
type span [2]int

type table struct {
	Minors [2]int `json:"minors"`
	// Feature gates of the API server, the controller manager, the scheduler, kubelets and kube-proxy.
	Gates map[string]*span `json:"gates"`
	// Gates that take one value only, by that value, with the minor versions in which they do.
	Locked           map[string]map[string]*span `json:"locked"`
	KubeadmGates     map[string]*span            `json:"kubeadmGates"`
	AdmissionPlugins map[string]*span            `json:"admissionPlugins"`
	Arguments        map[string]map[string]*span `json:"arguments"`
}

func main() {
	log.SetFlags(0)
	all := table{
		Minors: [2]int{releases[0].minor, releases[len(releases)-1].minor},
		Gates:  map[string]*span{}, Locked: map[string]map[string]*span{"true": {}, "false": {}},
		KubeadmGates: map[string]*span{}, AdmissionPlugins: map[string]*span{},
		Arguments: map[string]map[string]*span{},
	}
	for _, release := range releases {
		read := sources{modules: modulesOf(release.minor, release.patch)}
		add(all.Gates, read.gates(), release.minor)
		for value, gates := range read.locked(release.minor) {
			add(all.Locked[value], gates, release.minor)
		}
		add(all.KubeadmGates, read.kubeadmGates(), release.minor)
		add(all.AdmissionPlugins, read.admissionPlugins(), release.minor)
		for component, folders := range argumentFolders {
			if all.Arguments[component] == nil {
				all.Arguments[component] = map[string]*span{}
			}
			names := read.arguments(slices.Concat(folders, sharedFolders))
			if component == "kubelet" {
				names = append(names, cadvisorArguments...)
			}
			add(all.Arguments[component], names, release.minor)
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(all); err != nil {
		log.Fatal(err)
	}
}

// Extends what is known by the names of one minor version.
func add(known map[string]*span, names []string, minor int) {
	for _, name := range names {
		before, there := known[name]
		switch {
		case !there:
			known[name] = &span{minor, minor}
		case before[1] < minor-1:
			log.Fatalf("%s is gone after 1.%d, and there again in 1.%d", name, before[1], minor)
		default:
			before[1] = minor
		}
	}
}

// The folders of k8s.io's modules of one release, by their names.
type sources struct{ modules map[string]string }

func modulesOf(minor int, patch string) map[string]string {
	modules := map[string]string{"kubernetes": download(fmt.Sprintf("k8s.io/kubernetes@v1.%d.%s", minor, patch))}
	for _, name := range []string{
		"apiserver", "component-base", "client-go", "apiextensions-apiserver", "controller-manager", "cloud-provider",
		"kube-aggregator",
	} {
		modules[name] = download(fmt.Sprintf("k8s.io/%s@v0.%d.%s", name, minor, patch))
	}
	return modules
}

func download(module string) string {
	answer, err := exec.Command("go", "mod", "download", "-json", module).Output()
	var found struct{ Dir string }
	if json.Unmarshal(answer, &found) != nil || found.Dir == "" {
		log.Fatalf("%s: %v %s", module, err, answer)
	}
	return found.Dir
}

// The files of a folder such as `apiserver/pkg/features`; none where the release has no such folder.
func (read sources) files(folder string) []*ast.File {
	module, path, _ := strings.Cut(folder, "/")
	return parsed(filepath.Join(read.modules[module], path))
}

var cache = map[string][]*ast.File{}

// The files of folders and of paths of single files, without those after a !.
func (read sources) filesOf(paths []string) [][]*ast.File {
	without := map[string]bool{}
	for _, path := range paths {
		if path, excluded := strings.CutPrefix(path, "!"); excluded {
			without[path] = true
		}
	}
	var all [][]*ast.File
	for _, path := range paths {
		if strings.HasPrefix(path, "!") {
			continue
		}
		folder, only := path, ""
		if strings.HasSuffix(path, ".go") {
			folder, only = filepath.Dir(path), filepath.Base(path)
		}
		var files []*ast.File
		for _, file := range read.files(folder) {
			name := filepath.Base(positions.Position(file.Pos()).Filename)
			if (only == "" || only == name) && !without[folder+"/"+name] {
				files = append(files, file)
			}
		}
		all = append(all, files)
	}
	return all
}

var positions = token.NewFileSet()

func parsed(folder string) []*ast.File {
	if files, there := cache[folder]; there {
		return files
	}
	isSource := func(file fs.FileInfo) bool {
		name := file.Name()
		return !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_windows.go")
	}
	var files []*ast.File
	if _, err := os.Stat(folder); err == nil {
		packages, err := parser.ParseDir(positions, folder, isSource, parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		for _, source := range packages {
			for _, file := range source.Files {
				files = append(files, file)
			}
		}
	}
	cache[folder] = files
	return files
}

// The texts that constants of a package have, by the names of these, and the names of those that are of a type.
func constants(files []*ast.File, ofType string) (texts map[string]string, typed []string) {
	texts = map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, is := node.(*ast.ValueSpec)
			if !is {
				return true
			}
			for i, name := range spec.Names {
				if i >= len(spec.Values) {
					continue
				}
				value, kind := spec.Values[i], spec.Type
				// featuregate.Feature("Name")
				if call, is := value.(*ast.CallExpr); is && len(call.Args) == 1 {
					value, kind = call.Args[0], call.Fun
				}
				literal, is := value.(*ast.BasicLit)
				if !is || literal.Kind != token.STRING {
					continue
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					log.Fatal(err)
				}
				texts[name.Name] = text
				if lastWord(kind) == ofType {
					typed = append(typed, text)
				}
			}
			return true
		})
	}
	return texts, typed
}

// `Feature` of `featuregate.Feature`.
func lastWord(expression ast.Expr) string {
	switch it := expression.(type) {
	case *ast.Ident:
		return it.Name
	case *ast.SelectorExpr:
		return it.Sel.Name
	}
	return ""
}

func (read sources) gates() []string {
	var all []string
	for _, folder := range gateFolders {
		_, typed := constants(read.files(folder), "Feature")
		all = append(all, typed...)
	}
	return all
}

// Gates that take one value only, in the specification that holds for a minor version.
func (read sources) locked(minor int) map[string][]string {
	locked := map[string][]string{}
	names := map[string]string{}
	for _, folder := range gateFolders {
		texts, _ := constants(read.files(folder), "Feature")
		for name, text := range texts {
			names[name] = text
		}
	}
	for _, folder := range gateFolders {
		for _, file := range read.files(folder) {
			ast.Inspect(file, func(node ast.Node) bool {
				entry, is := node.(*ast.KeyValueExpr)
				if !is {
					return true
				}
				gate, there := names[lastWord(entry.Key)]
				specs, is := entry.Value.(*ast.CompositeLit)
				if there && is {
					if value, fixed := lockedValue(specs, minor); fixed {
						text := strconv.FormatBool(value)
						locked[text] = append(locked[text], gate)
					}
				}
				return true
			})
		}
	}
	return locked
}

// The value of a gate whose last specification up to a minor version is locked to its default. A list of specifications
// has their versions; a single one has none.
func lockedValue(specs *ast.CompositeLit, minor int) (value bool, fixed bool) {
	list := specs.Elts
	if len(list) > 0 {
		if _, single := list[0].(*ast.KeyValueExpr); single {
			list = []ast.Expr{specs}
		}
	}
	for _, spec := range list {
		literal, is := spec.(*ast.CompositeLit)
		if !is {
			continue
		}
		fields := map[string]ast.Expr{}
		for _, field := range literal.Elts {
			if pair, is := field.(*ast.KeyValueExpr); is {
				fields[lastWord(pair.Key)] = pair.Value
			}
		}
		if call, is := fields["Version"].(*ast.CallExpr); is {
			if minorOf(call) > minor {
				continue
			}
		}
		fixed = lastWord(fields["LockToDefault"]) == "true"
		value = lastWord(fields["Default"]) == "true"
	}
	return value, fixed
}

// The minor version of `version.MustParse("1.33")` and of `version.MajorMinor(1, 33)`.
func minorOf(call *ast.CallExpr) int {
	text := call.Args[len(call.Args)-1].(*ast.BasicLit).Value
	minor, err := strconv.Atoi(strings.TrimPrefix(strings.Trim(text, `"`), "1."))
	if err != nil {
		log.Fatalf("%s is no version", text)
	}
	return minor
}

// The names of the constants that are keys of kubeadm's list are those of the gates.
func (read sources) kubeadmGates() []string {
	files := read.files("kubernetes/cmd/kubeadm/app/features")
	texts, _ := constants(files, "")
	var all []string
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, is := node.(*ast.ValueSpec)
			if !is || spec.Names[0].Name != "InitFeatureGates" {
				return true
			}
			for _, entry := range spec.Values[0].(*ast.CompositeLit).Elts {
				all = append(all, texts[lastWord(entry.(*ast.KeyValueExpr).Key)])
			}
			return false
		})
	}
	return all
}

func (read sources) admissionPlugins() []string {
	var all []string
	for _, file := range read.files("kubernetes/pkg/kubeapiserver/options") {
		packages := importsOf(file)
		ast.Inspect(file, func(node ast.Node) bool {
			spec, is := node.(*ast.ValueSpec)
			if !is || spec.Names[0].Name != "AllOrderedPlugins" {
				return true
			}
			for _, entry := range spec.Values[0].(*ast.CompositeLit).Elts {
				name := entry.(*ast.SelectorExpr)
				path := strings.TrimPrefix(packages[name.X.(*ast.Ident).Name], "k8s.io/")
				texts, _ := constants(read.files(path), "")
				if texts[name.Sel.Name] == "" {
					log.Fatalf("%s has no text %s", path, name.Sel.Name)
				}
				all = append(all, texts[name.Sel.Name])
			}
			return false
		})
	}
	return all
}

// The paths of the packages that a file imports, by the names that these have in it.
func importsOf(file *ast.File) map[string]string {
	packages := map[string]string{}
	for _, one := range file.Imports {
		path, _ := strconv.Unquote(one.Path.Value)
		name := filepath.Base(path)
		if one.Name != nil {
			name = one.Name.Name
		}
		packages[name] = path
	}
	return packages
}

var flagCall = regexp.MustCompile(`^(\w*Var|\w*VarP|\w*VarPF|VersionVar|Bool|Int|String|Duration|Int64|StringSlice)$`)
var flagName = regexp.MustCompile(`^[a-z][a-z0-9]*([-_][a-z0-9]+)*$`)

// The backends of audits, whose names are in names of arguments.
var auditBackends = []string{"log", "webhook"}

// The names of the arguments that code of some folders registers.
func (read sources) arguments(paths []string) []string {
	found := map[string]bool{}
	for _, name := range sharedArguments {
		found[name] = true
	}
	for _, files := range read.filesOf(paths) {
		texts, _ := constants(files, "")
		for _, file := range files {
			ast.Inspect(file, func(node ast.Node) bool {
				call, is := node.(*ast.CallExpr)
				if !is || !flagCall.MatchString(lastWord(call.Fun)) {
					return true
				}
				// the name is the first argument, or comes after a pointer or two sets of arguments
				for i := 0; i < 3 && i < len(call.Args); i++ {
					names := namesOf(call.Args[i], texts)
					for _, name := range names {
						found[name] = true
					}
					if len(names) > 0 {
						break
					}
				}
				return true
			})
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// The names that an expression stands for; none where it is none of an argument.
func namesOf(expression ast.Expr, texts map[string]string) []string {
	var all []string
	text := textOf(expression, texts)
	for _, backend := range auditBackends {
		name := strings.ReplaceAll(strings.Replace(text, "%s", backend, 1), "_", "-")
		if flagName.MatchString(name) {
			all = append(all, name)
		}
	}
	return all
}

// A text that stands there, that a constant of the package has, or that is a format of one.
func textOf(expression ast.Expr, texts map[string]string) string {
	switch it := expression.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(it.Value)
		return text
	case *ast.Ident:
		return texts[it.Name]
	case *ast.BinaryExpr:
		return textOf(it.X, texts) + textOf(it.Y, texts)
	case *ast.CallExpr:
		if lastWord(it.Fun) == "Sprintf" {
			return textOf(it.Args[0], texts)
		}
	}
	return ""
}
