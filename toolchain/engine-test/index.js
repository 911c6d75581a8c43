// A command that writes down when it is run; the environment says what has changed since.
const { local } = require("@pulumi/command");

const { LOG, STDIN = "", TRIGGER, VERSION } = process.env;
const command = new local.Command("example", {
  create: `echo create ${VERSION} >> ${LOG}; echo made by ${VERSION}`,
  delete: `echo delete ${VERSION} >> ${LOG}`,
  stdin: STDIN,
  triggers: [TRIGGER],
}, { deleteBeforeReplace: true });

exports.stdout = command.stdout;
