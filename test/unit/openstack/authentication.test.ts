/** How a login of clouds.yaml is sent to Keystone: as gophercloud, and so the OpenStack provider, sends it. */
import { Fault } from "../../../components/base/fault";
import { authentication } from "../../../components/openstack/authentication";

const base = { auth_url: "https://k", source: "the test" };
const user = { username: "u", password: "s", user_domain_name: "D" };
const project = { project_name: "p", project_domain_id: "d" };
const credential = { application_credential_id: "i", application_credential_secret: "s" };

const byPassword = (its: object) => ({
  methods: ["password"],
  password: { user: { ...its, password: "s" } },
});
const byToken = { methods: ["token"], token: { id: "t" } };
const ofProject = { project: { name: "p", domain: { id: "d" } } };

it.each<[string, object, object]>([
  [
    "a user and a project",
    { ...user, ...project },
    { identity: byPassword({ name: "u", domain: { name: "D" } }), scope: ofProject },
  ],
  [
    "ids",
    { user_id: "i", password: "s", project_id: "p" },
    { identity: byPassword({ id: "i" }), scope: { project: { id: "p" } } },
  ],
  [
    "one domain for both",
    { username: "u", password: "s", project_name: "p", domain_name: "D" },
    {
      identity: byPassword({ name: "u", domain: { name: "D" } }),
      scope: { project: { name: "p", domain: { name: "D" } } },
    },
  ],
  [
    "the default domain",
    { username: "u", password: "s", project_name: "p", default_domain: "default" },
    {
      identity: byPassword({ name: "u", domain: { id: "default" } }),
      scope: { project: { name: "p", domain: { id: "default" } } },
    },
  ],
  ["no project, for the user's own", user, { identity: byPassword({ name: "u", domain: { name: "D" } }) }],
  [
    "a token, whatever else there is",
    { ...user, ...project, token: "t" },
    { identity: byToken, scope: ofProject },
  ],
  [
    "an application credential, which has its project",
    { ...credential, ...project },
    {
      identity: {
        methods: ["application_credential"],
        application_credential: { id: "i", secret: "s" },
      },
    },
  ],
  [
    "one by its name",
    {
      application_credential_name: "n",
      application_credential_secret: "s",
      username: "u",
      user_domain_name: "D",
    },
    {
      identity: {
        methods: ["application_credential"],
        application_credential: { name: "n", user: { name: "u", domain: { name: "D" } }, secret: "s" },
      },
    },
  ],
])("the request takes %s", (_, settings, expected) => {
  expect(authentication({ ...base, ...settings })).toEqual(expected);
});

it.each<[string, object, string]>([
  ["no user", { ...project, password: "s" }, "username or user_id is missing"],
  ["no password", { ...project, username: "u", user_domain_name: "D" }, "password is missing"],
  ["no token", { ...user, ...project, auth_type: "v3token" }, "token is missing"],
  [
    "no domain",
    { ...project, username: "u" },
    "user_domain_name or user_domain_id is missing: names are unique only within a domain",
  ],
  [
    "a domain",
    { ...user, domain_id: "d" },
    "is for a domain, but servers are created in a project: set project_name or project_id",
  ],
  [
    "the system",
    { ...user, system_scope: "all" },
    "is for the system, but servers are created in a project: set project_name or project_id",
  ],
  [
    "two users",
    { ...user, ...project, user_id: "i" },
    "has both username and user_id: remove one of the two",
  ],
  [
    "a domain beside an id",
    { ...project, user_id: "i", password: "s", user_domain_name: "D" },
    "has a domain of the user in addition to user_id, which determines it: remove the domain, or OS_USER_DOMAIN_NAME",
  ],
  [
    "a password beside an application credential",
    { ...credential, password: "s" },
    "has a password, or OS_PASSWORD, which is used instead of the application credential; remove it",
  ],
])("the request refuses %s", (_, settings, expected) => {
  expect(() => authentication({ ...base, ...settings })).toThrow(new Fault(`the test: ${expected}`));
});
