// What the stack config declares under vnfm:vnfs, and its outputs.
module.exports = require("vnfm").stack();
