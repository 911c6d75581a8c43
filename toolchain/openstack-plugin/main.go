// The OpenStack plugin: the Terraform provider for OpenStack under the names of @pulumi/openstack.
package main

import (
	"strings"

	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	shim "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim"
	sdkv2 "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim/sdk-v2"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/terraform-provider-openstack/terraform-provider-openstack/v3/openstack"
)

// The release of Pulumi's OpenStack provider that is made of the same Terraform provider.
const version = "5.5.1"

// Physical names: the longest one OpenStack takes, and what stands before the random suffix.
const (
	longestName   = 255
	nameSeparator = "-"
)

func newProvider() tfbridge.ProviderInfo {
	provider := tfbridge.ProviderInfo{
		P:           sdkv2.NewProvider(openstack.Provider()),
		Name:        "openstack",
		Version:     version,
		Description: "The Terraform provider for OpenStack as a Pulumi plugin.",
		Config:      configuration(),
		Resources:   map[string]*tfbridge.ResourceInfo{},
		DataSources: map[string]*tfbridge.DataSourceInfo{},
	}
	for module, names := range resources {
		for terraform, name := range names {
			provider.Resources[terraform] = &tfbridge.ResourceInfo{Tok: tokens.Type(token(module, name))}
		}
	}
	for module, names := range functions {
		for terraform, name := range names {
			provider.DataSources[terraform] = &tfbridge.DataSourceInfo{Tok: token(module, name)}
		}
	}
	rename(&provider)
	ignoreOthers(&provider)
	provider.SetAutonaming(longestName, nameSeparator)
	return provider
}

// token is openstack:compute/instance:Instance for the Instance of compute.
func token(module, name string) tokens.ModuleMember {
	file := strings.ToLower(name[:1]) + name[1:]
	return tokens.ModuleMember("openstack:" + module + "/" + file + ":" + name)
}

// rename sets the property names that do not follow from the Terraform ones.
func rename(provider *tfbridge.ProviderInfo) {
	provider.Resources["openstack_networking_subnet_v2"].Fields = map[string]*tfbridge.SchemaInfo{
		"allocation_pool": {Name: "allocationPools"},
	}
	provider.Resources["openstack_orchestration_stack_v1"].Fields = map[string]*tfbridge.SchemaInfo{
		"outputs": {Name: "StackOutputs"},
	}
}

// ignoreOthers leaves out what the npm package has no name for.
func ignoreOthers(provider *tfbridge.ProviderInfo) {
	provider.P.ResourcesMap().Range(func(name string, _ shim.Resource) bool {
		if provider.Resources[name] == nil {
			provider.IgnoreMappings = append(provider.IgnoreMappings, name)
		}
		return true
	})
	provider.P.DataSourcesMap().Range(func(name string, _ shim.Resource) bool {
		if provider.DataSources[name] == nil {
			provider.IgnoreMappings = append(provider.IgnoreMappings, name)
		}
		return true
	})
}

// configuration names the environment variables that stand in for provider settings of the stack config.
func configuration() map[string]*tfbridge.SchemaInfo {
	settings := map[string]*tfbridge.SchemaInfo{}
	for setting, variable := range map[string]string{
		"allow_reauth":  "OS_ALLOW_REAUTH",
		"cloud":         "OS_CLOUD",
		"delayed_auth":  "OS_DELAYED_AUTH",
		"endpoint_type": "OS_ENDPOINT_TYPE",
		"insecure":      "OS_INSECURE",
		"region":        "OS_REGION_NAME",
		"swauth":        "OS_SWAUTH",
	} {
		settings[setting] = &tfbridge.SchemaInfo{Default: &tfbridge.DefaultInfo{EnvVars: []string{variable}}}
	}
	return settings
}

func main() {
	// The schema only serves code generators.
	tfbridge.Main("openstack", version, newProvider(), []byte(`{"name":"openstack","version":"`+version+`"}`))
}
