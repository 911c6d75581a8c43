import * as vnfm from "./components";

/** The stack's outputs. */
export = vnfm.stack();
