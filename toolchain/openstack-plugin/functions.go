package main

// functions gives each Terraform data source its module and name in @pulumi/openstack; the misspelt ones are so there.
var functions = map[string]map[string]string{
	"blockstorage": {
		"openstack_blockstorage_availability_zones_v3": "getAvailabilityZonesV3",
		"openstack_blockstorage_quotaset_v3":           "getQuotasetV3",
		"openstack_blockstorage_snapshot_v3":           "getSnapshotV3",
		"openstack_blockstorage_volume_v3":             "getVolumeV3",
	},
	"compute": {
		"openstack_compute_aggregate_v2":          "getAggregateV2",
		"openstack_compute_availability_zones_v2": "getAvailabilityZones",
		"openstack_compute_flavor_v2":             "getFlavor",
		"openstack_compute_hypervisor_v2":         "getHypervisorV2",
		"openstack_compute_instance_v2":           "getInstanceV2",
		"openstack_compute_keypair_v2":            "getKeypair",
		"openstack_compute_limits_v2":             "getLimitsV2",
		"openstack_compute_quotaset_v2":           "getQuotaSetV2",
	},
	"containerinfra": {
		"openstack_containerinfra_cluster_v1":         "getCluster",
		"openstack_containerinfra_clustertemplate_v1": "getClusterTemplate",
		"openstack_containerinfra_nodegroup_v1":       "getNodeGroup",
	},
	"dns": {
		"openstack_dns_zone_v2": "getDnsZone",
	},
	"identity": {
		"openstack_identity_auth_scope_v3": "getAuthScope",
		"openstack_identity_endpoint_v3":   "getEndpoint",
		"openstack_identity_group_v3":      "getGroup",
		"openstack_identity_project_v3":    "getProject",
		"openstack_identity_role_v3":       "getRole",
		"openstack_identity_service_v3":    "getService",
		"openstack_identity_user_v3":       "getUser",
	},
	"images": {
		"openstack_images_image_ids_v2": "getImageIds",
		"openstack_images_image_v2":     "getImage",
	},
	"index": {
		"openstack_fw_group_v2":  "getFwGroupV2",
		"openstack_fw_policy_v2": "getFwPolicyV2",
		"openstack_fw_rule_v2":   "getFwRuleV2",
	},
	"keymanager": {
		"openstack_keymanager_container_v1": "getContainer",
		"openstack_keymanager_secret_v1":    "getSecret",
	},
	"networking": {
		"openstack_networking_addressscope_v2":               "getAddressScope",
		"openstack_networking_floatingip_v2":                 "getFloatingIp",
		"openstack_networking_network_v2":                    "getNetwork",
		"openstack_networking_port_ids_v2":                   "getPortIds",
		"openstack_networking_port_v2":                       "getPort",
		"openstack_networking_qos_bandwidth_limit_rule_v2":   "getQosBandwidthLimitRule",
		"openstack_networking_qos_dscp_marking_rule_v2":      "getQosDscpMarkingRule",
		"openstack_networking_qos_minimum_bandwidth_rule_v2": "getQosMinimumBandwidthRule",
		"openstack_networking_qos_policy_v2":                 "getQosPolicy",
		"openstack_networking_quota_v2":                      "getQuotaV2",
		"openstack_networking_router_v2":                     "getRouter",
		"openstack_networking_secgroup_v2":                   "getSecGroup",
		"openstack_networking_subnet_ids_v2":                 "getSubnetIdsV2",
		"openstack_networking_subnet_v2":                     "getSubnet",
		"openstack_networking_subnetpool_v2":                 "getSubnetPool",
		"openstack_networking_trunk_v2":                      "getTrunk",
	},
	"sharedfilesystem": {
		"openstack_sharedfilesystem_availability_zones_v2": "getAvailbilityZones",
		"openstack_sharedfilesystem_share_v2":              "getShare",
		"openstack_sharedfilesystem_sharenetwork_v2":       "getShareNetwork",
		"openstack_sharedfilesystem_snapshot_v2":           "getSnapshot",
	},
}
