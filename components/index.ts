/** What a Pulumi program imports. */
export { stack } from "./stack";
