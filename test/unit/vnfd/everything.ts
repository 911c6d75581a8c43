/** A VNFD with every property of SOL001 2.6.1, and some of later releases, of Tacker and of a vendor. */
export const everything = `tosca_definitions_version: tosca_simple_yaml_1_2
description: All of it
metadata: { template_name: all }
imports: [ etsi_nfv_sol001_vnfd_types.yaml ]
node_types:
  acme.VNF:
    derived_from: tosca.nodes.nfv.VNF
    properties:
      descriptor_id: { type: string, default: d-1 }
      descriptor_version: { type: string, default: 1.0 }
      provider: { type: string, default: Acme }
      product_name: { type: string, default: Thing }
      software_version: { type: string, default: '2.0' }
      product_info_name: { type: string, default: Thing of Acme }
      acme_mode: { type: string, default: fast }
topology_template:
  description: All of it
  inputs: { selected: { type: string, default: simple }, unset: { type: string } }
  outputs: { address: { value: { get_attribute: [ VDU1, private_address ] } } }
  workflows: { deploy: { steps: { one: { target: VDU1 } } } }
  substitution_mappings:
    node_type: acme.VNF
    properties: { flavour_id: simple, flavour_description: One }
    requirements: { virtual_link_ext: [ CP1, virtual_link ] }
  node_templates:
    VNF:
      type: acme.VNF
      properties:
        product_info_description: A thing
        vnfm_info: [ vnfm ]
        localization_languages: [ en ]
        default_localization_language: en
        flavour_id: { get_input: unset }
        flavour_description: One flavour
        vnf_profile: { instantiation_level: small, min_number_of_instances: 1, max_number_of_instances: 1 }
        lcm_operations_configuration:
          scale: { scaling_by_more_than_one_step_supported: false }
          scale_to_level: { arbitrary_target_levels_supported: false }
          heal: { causes: [ fire ] }
          terminate: { min_graceful_termination_timeout: 1 s, max_recommended_graceful_termination_timeout: 2 s }
          operate: { min_graceful_stop_timeout: 1 s, max_recommended_graceful_stop_timeout: 2 s }
          instantiate: { a: b }
          change_flavour: { a: b }
          change_ext_connectivity: { a: b }
        monitoring_parameters: [ { name: m, performance_metric: p, collection_period: 1 s } ]
        configurable_properties: { is_autoscale_enabled: true, is_autoheal_enabled: false }
      requirements: [ virtual_link: VL1 ]
      interfaces: { Vnflcm: { instantiate: [], scale_end: { implementation: driver } } }
      artifacts: { driver: { type: tosca.artifacts.Implementation.nfv.Mistral, file: a.py } }
    VDU1:
      type: tosca.nodes.nfv.Vdu.Compute
      properties:
        name: one
        description: One
        boot_order: [ VOL1 ]
        nfvi_constraints: [ near ]
        monitoring_parameters: [ { name: m, performance_metric: p, collection_period: 1 s } ]
        configurable_properties: { additional_vnfc_configurable_properties: { a: b } }
        vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 4, nfvi_maintenance_info: { a: b } }
        sw_image_data: &image
          name: image-one
          version: '1'
          checksum: { algorithm: sha-256, hash: abc }
          container_format: bare
          disk_format: qcow2
          min_disk: 1 GiB
          min_ram: 1 GiB
          size: 1 GiB
          operating_system: Debian
          supported_virtualisation_environments: [ kvm ]
        boot_data:
          content_or_file_data: { content: '#!/bin/sh', source_path: vnfd.yaml, destination_path: /etc/rc }
          kvp_data: { data: { a: b } }
          vim_specific_properties: { properties: { a: b } }
        user_data: '#!/bin/sh'
      capabilities:
        virtual_compute:
          properties:
            logical_node: { node1: { logical_node_requirements: { a: b } } }
            requested_additional_capabilities:
              flavor:
                requested_additional_capability_name: m1.small
                support_mandatory: true
                min_requested_additional_capability_version: '1'
                preferred_requested_additional_capability_version: '1'
                target_performance_parameters: { a: b }
              another: { requested_additional_capability_name: m1.large }
            compute_requirements: { a: b }
            virtual_memory:
              virtual_mem_size: 512 MiB
              virtual_mem_oversubscription_policy: none
              vdu_mem_requirements: { a: b }
              numa_enabled: true
            virtual_cpu:
              cpu_architecture: x86
              num_virtual_cpu: 2
              virtual_cpu_clock: 2 GHz
              virtual_cpu_oversubscription_policy: none
              vdu_cpu_requirements: { a: b }
              virtual_cpu_pinning: { virtual_cpu_pinning_policy: static, virtual_cpu_pinning_rule: [ a ] }
            virtual_local_storage:
              - { size_of_storage: 3 GiB, vdu_storage_requirements: { a: b }, rdma_enabled: false }
              - { size_of_storage: 4 GiB }
        virtual_binding: { properties: { a: b } }
      requirements: [ virtual_storage: VOL1, virtual_storage: FILES, virtual_storage: OBJECTS, dependency: VDU2 ]
      artifacts: { image: { type: tosca.artifacts.nfv.SwImage, file: Files/images/a.qcow2 } }
    VDU2:
      type: tosca.nodes.nfv.Vdu.OsContainerDeployableUnit
      properties:
        name: two
        vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 4 }
        mcio_identification_data: { name: two, type: Deployment }
        logical_node: { a: b }
      requirements: [ container: BOX ]
    BOX:
      type: tosca.nodes.nfv.Vdu.OsContainer
      properties: { name: box, requested_cpu_resources: 100 }
    VOL1:
      type: tosca.nodes.nfv.Vdu.VirtualBlockStorage
      properties:
        virtual_block_storage_data:
          { size_of_storage: 2 GiB, vdu_storage_requirements: { volume_type: fast, iops: 5 }, rdma_enabled: true }
        sw_image_data: *image
    OBJECTS:
      type: tosca.nodes.nfv.Vdu.VirtualObjectStorage
      properties: { virtual_object_storage_data: { max_size_of_storage: 1 GiB } }
    FILES:
      type: tosca.nodes.nfv.Vdu.VirtualFileStorage
      properties: { virtual_file_storage_data: { size_of_storage: 1 GiB, file_system_protocol: nfs } }
      requirements: [ virtual_link: VL1 ]
    CHART: { type: tosca.nodes.nfv.Mciop }
    SERVICE: { type: tosca.nodes.nfv.VirtualCp }
    CP1: &cp1
      type: tosca.nodes.nfv.VduCp
      properties:
        <<: &cp
          layer_protocols: [ ipv4 ]
          role: leaf
          description: First
          protocol:
            - associated_layer_protocol: ipv4
              address_data:
                - address_type: ip_address
                  l2_address_data: { mac_address_assignment: true }
                  l3_address_data:
                    ip_address_assignment: true
                    floating_ip_activated: true
                    ip_address_type: ipv4
                    number_of_ip_address: 2
                    fixed_ip_address: [ 10.9.0.9 ]
          trunk_mode: true
          virtual_network_interface_requirements:
            - name: fast
              description: Fast
              support_mandatory: true
              network_interface_requirements: { a: b }
              nic_io_requirements: { logical_node_requirements: { a: b } }
        bitrate_requirement: 1
        order: 0
        vnic_type: normal
      requirements: [ virtual_binding: { node: VDU1, relationship: tosca.relationships.nfv.VirtualBindsTo, node_filter: { a: b } } ]
    CP2:
      <<: *cp1
      requirements: [ virtual_binding: VDU1, virtual_link: VL1 ]
    EXT:
      type: tosca.nodes.nfv.VnfExtCp
      properties: { <<: *cp, trunk_mode: false }
      requirements: [ external_virtual_link: any, internal_virtual_link: VL1 ]
    VIP:
      type: tosca.nodes.nfv.VipCp
      properties: { layer_protocols: [ ipv4 ], dedicated_ip_address: false, vip_function: high_availability }
      requirements: [ target: CP2, virtual_link: VL1 ]
    VL1:
      type: tosca.nodes.nfv.VnfVirtualLink
      properties:
        connectivity_type: { layer_protocols: [ ipv4 ], flow_pattern: mesh }
        description: Inside
        test_access: [ loopback ]
        monitoring_parameters: [ { name: m, performance_metric: p, collection_period: 1 s } ]
        vl_profile:
          max_bitrate_requirements: { root: 1, leaf: 1 }
          min_bitrate_requirements: { root: 1, leaf: 1 }
          qos: { latency: 1 s, packet_delay_variation: 1 s, packet_loss_ratio: 0.1 }
          virtual_link_protocol_data:
            - associated_layer_protocol: ipv4
              l2_protocol_data: { name: l2, network_type: vlan, vlan_transparent: true, mtu: 1400, segmentation_id: 7 }
              l3_protocol_data:
                name: l3
                ip_version: ipv4
                cidr: 10.9.0.0/24
                ip_allocation_pools: [ { start_ip_address: 10.9.0.9, end_ip_address: 10.9.0.99 } ]
                gateway_ip: 10.9.0.1
                dhcp_enabled: false
            - associated_layer_protocol: ipv6
              l3_protocol_data: { ip_version: ipv6, cidr: 'fd00:9::/64', ipv6_address_mode: slaac }
  groups:
    group1: { type: tosca.groups.nfv.PlacementGroup, members: [ VDU1 ], properties: { description: Near } }
  policies:
    - aspects:
        type: tosca.policies.nfv.ScalingAspects
        properties:
          aspects: { aspect1: { name: aspect1, description: First, max_scale_level: 1, step_deltas: [ d1 ], priority: 1 } }
    - deltas:
        type: tosca.policies.nfv.VduScalingAspectDeltas
        properties: { aspect: aspect1, deltas: { d1: { number_of_instances: 1 } } }
        targets: [ VDU1 ]
    - initial:
        type: tosca.policies.nfv.VduInitialDelta
        properties: { initial_delta: { number_of_instances: 1 } }
        targets: [ VDU1 ]
        triggers: { now: { event: any } }
    - levels:
        type: tosca.policies.nfv.InstantiationLevels
        properties:
          levels: { small: { description: Small, scale_info: { aspect1: { scale_level: 0 } } } }
          default_level: small
    - vduLevels:
        type: tosca.policies.nfv.VduInstantiationLevels
        properties: { levels: { small: { number_of_instances: 1 } } }
        targets: [ VDU1 ]
    - linkLevels:
        type: tosca.policies.nfv.VirtualLinkInstantiationLevels
        properties: { levels: { small: { bitrate_requirements: { root: 1, leaf: 1 } } } }
        targets: [ VL1 ]
    - linkDeltas:
        type: tosca.policies.nfv.VirtualLinkBitrateScalingAspectDeltas
        properties: { aspect: aspect1, deltas: { d1: { bitrate_requirements: { root: 1, leaf: 1 } } } }
        targets: [ VL1 ]
    - linkInitial:
        type: tosca.policies.nfv.VirtualLinkBitrateInitialDelta
        properties: { initial_delta: { bitrate_requirements: { root: 1, leaf: 1 } } }
        targets: [ VL1 ]
    - near:
        type: tosca.policies.nfv.AffinityRule
        properties: { scope: nfvi_node }
        targets: [ group1, VL1 ]
    - apart:
        type: tosca.policies.nfv.AntiAffinityRule
        properties: { scope: nfvi_node }
        targets: [ VDU1 ]
    - rule1: &rule
        type: tosca.policies.nfv.SecurityGroupRule
        properties:
          { description: HTTP, direction: ingress, ether_type: ipv4, protocol: tcp, port_range_min: 1, port_range_max: 2 }
        targets: [ CP1 ]
    - rule2: *rule
    - interface:
        type: tosca.policies.nfv.SupportedVnfInterface
        properties:
          interface_name: vnf_configuration
          details:
            uri_components:
              { scheme: http, authority: { user_info: u, host: h, port: '1' }, path: /, query: q, fragment: f }
            interface_specific_data: { a: b }
        targets: [ CP1 ]
    - autoscaling: { type: tosca.policies.tacker.Scaling, properties: { increment: 1 } }
`;
