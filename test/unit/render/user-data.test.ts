import { renderUserData } from "../../../components/render/user-data";

describe("user data", () => {
  const keys = {
    ...{ hostPrivateKey: "PRIVATE\nKEY\n", hostPublicKey: "ssh-ed25519 AAAA" },
    loginKey: "ssh-ed25519 BBBB vnfm",
  };
  const config = `#cloud-config
ssh_deletekeys: true
ssh_keys:
  ed25519_private: |
    PRIVATE
    KEY
  ed25519_public: ssh-ed25519 AAAA
preserve_hostname: false
manage_etc_hosts: false
`;
  const login = "ssh_authorized_keys:\n  - ssh-ed25519 BBBB vnfm\n";

  it("makes the known host key the only one, and lets the login key in", () => {
    expect(renderUserData({ ...keys, bootData: undefined })).toBe(config + login);
  });

  it("has the VNFD's own boot data before it, and adds the login key to those of the boot data", () => {
    expect(renderUserData({ ...keys, bootData: "#!/bin/sh\necho hi\n" }))
      .toBe(`Content-Type: multipart/mixed; boundary="==vnfm=="
MIME-Version: 1.0

--==vnfm==
Content-Type: text/x-shellscript; charset="utf-8"

#!/bin/sh
echo hi


--==vnfm==
Content-Type: text/cloud-config; charset="utf-8"

${config}

--==vnfm==
Content-Type: text/cloud-config; charset="utf-8"

#cloud-config
merge_how: dict(recurse_array)+list(append)
${login}

--==vnfm==--
`);
  });

  it.each([
    ["#!/bin/sh\necho hi\n", "text/x-shellscript"],
    ["#cloud-config\nruncmd: [ls]\n", "text/cloud-config"],
    ["runcmd: [ls]\n", "text/cloud-config"],
    ["#cloud-boothook\n#!/bin/sh\necho hi\n", "text/cloud-boothook"],
    ["#cloud-config-archive\n- '#!/bin/sh'\n", "text/cloud-config-archive"],
    ["#cloud-config-jsonp\n[]\n", "text/cloud-config-jsonp"],
    ["#include\nhttp://example.com/a\n", "text/x-include-url"],
    ["#include-once\nhttp://example.com/a\n", "text/x-include-once-url"],
    ["#part-handler\n", "text/part-handler"],
    ["#upstart-job\n", "text/upstart-job"],
    ["## template: jinja\n#cloud-config\n", "text/jinja2"],
    ["#Cloud-Boothook\n", "text/cloud-boothook"],
  ])("carries the VNFD's own boot data beside it, declared as what they are: %j", (bootData, type) => {
    const text = renderUserData({ ...keys, bootData });
    expect(text.startsWith('Content-Type: multipart/mixed; boundary="==vnfm=="\nMIME-Version: 1.0\n\n')).toBe(
      true,
    );
    expect(text).toContain(
      `--==vnfm==\nContent-Type: ${type}; charset="utf-8"\n\n${bootData}\n\n--==vnfm==\n`,
    );
    // of two parts that set the same, cloud-init follows the last
    expect(text.indexOf(bootData)).toBeLessThan(text.indexOf("ssh_deletekeys: true"));
  });

  it("carries boot data from Windows, after blank lines, as what a server can run", () => {
    const text = renderUserData({ ...keys, bootData: "\r\n#!/bin/sh\r\necho hi\r\n" });
    expect(text).toContain(
      '--==vnfm==\nContent-Type: text/x-shellscript; charset="utf-8"\n\n#!/bin/sh\necho hi\n\n\n--==vnfm==\n',
    );
  });

  it("carries a MIME archive of the VNFD's as a part with parts, of another boundary", () => {
    const archive =
      'Content-Type: multipart/mixed; boundary="==vnfm=="\nMIME-Version: 1.0\n\n--==vnfm==\n\n#!/bin/sh\n--==vnfm==--\n';
    const text = renderUserData({ ...keys, bootData: archive });
    expect(text.startsWith('Content-Type: multipart/mixed; boundary="==vnfm==="\n')).toBe(true);
    expect(text).toContain(`--==vnfm===\n${archive}\n\n--==vnfm===\n`);
    expect(text.endsWith("--==vnfm===--\n")).toBe(true);
  });

  it("takes a MIME archive without the line of mbox that some tools write before it", () => {
    const archive =
      'Content-Type: multipart/mixed; boundary="a"\nMIME-Version: 1.0\n\n--a\n\n#!/bin/sh\n--a--\n';
    const of = (bootData: string) => renderUserData({ ...keys, bootData });
    expect(of(`From nobody Fri Nov 27 12:00:00 2026\n${archive}`)).toBe(of(archive));
  });
});
