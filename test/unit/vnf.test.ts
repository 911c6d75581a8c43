/** What VNFs make of their plans, without an engine. All in one file, as each file loads the SDK anew. */
import "./vnf/addresses";
import "./vnf/cluster";
import "./vnf/cluster-template";
import "./vnf/cnfs";
import "./vnf/images-and-flavors";
import "./vnf/json";
import "./vnf/logins";
import "./vnf/masters";
import "./vnf/names";
import "./vnf/networks";
import "./vnf/other-stacks";
import "./vnf/ports";
import "./vnf/rotation";
import "./vnf/storage";
import "./vnf/tenant-network";
import "./vnf/warnings";
import "./vnf/workload-cluster";
