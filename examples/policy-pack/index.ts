import { PolicyPack, ReportViolation, ResourceValidationArgs } from "@pulumi/policy";

const EVERYWHERE = ["0.0.0.0/0", "::/0"];

/** The pod template of a Deployment, StatefulSet, DaemonSet, Job or CronJob, or a Pod. */
function podOf(spec: any): any {
  if (spec === undefined) return {};
  if (spec.jobTemplate !== undefined) return podOf(spec.jobTemplate.spec);
  return spec.template === undefined ? spec : spec.template.spec;
}

new PolicyPack("site", {
  policies: [
    {
      name: "no-ssh-from-everywhere",
      description: "SSH is open to named networks only.",
      enforcementLevel: "mandatory",
      validateResource({ type, props }: ResourceValidationArgs, report: ReportViolation) {
        if (type !== "openstack:networking/secGroupRule:SecGroupRule") return;
        if (props.direction !== "ingress" || !EVERYWHERE.includes(props.remoteIpPrefix)) return;
        if (props.protocol !== undefined && props.protocol !== "tcp") return;
        // a rule without ports is for all of them
        const first = props.portRangeMin || 1;
        const last = props.portRangeMax || 65535;
        if (first <= 22 && 22 <= last) report(`port 22 is open to ${props.remoteIpPrefix}`);
      },
    },
    {
      name: "images-by-digest",
      description: "Images of pods are named by their digest.",
      enforcementLevel: "mandatory",
      validateResource({ type, props }: ResourceValidationArgs, report: ReportViolation) {
        if (!type.startsWith("kubernetes:")) return;
        const pod = podOf(props.spec);
        const containers = (pod.initContainers || []).concat(pod.containers || []);
        for (const { name, image } of containers) {
          if (!/@sha256:[0-9a-f]{64}$/.test(image)) report(`${name}: ${image} has no digest`);
        }
      },
    },
  ],
});
