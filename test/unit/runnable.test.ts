import { runnable } from "../../components/base/text";

test.each([
  ["lines of Windows", "#!/bin/sh\r\necho a\r\n", "#!/bin/sh\necho a\n"],
  ["blank lines before the interpreter", "\n \r\n  #!/bin/sh\necho a\n", "#!/bin/sh\necho a\n"],
  ["a byte order mark", "\uFEFF#!/bin/sh\n", "#!/bin/sh\n"],
  [
    "blank lines before the headers of a MIME archive",
    "\r\n\r\nMIME-Version: 1.0\r\n",
    "MIME-Version: 1.0\n",
  ],
  ["blank lines before YAML, whose indentation stays", "\n  runcmd:\n    - ls\n", "  runcmd:\n    - ls\n"],
])("a server is not given %s", (_, text, expected) => {
  expect(runnable(text)).toBe(expected);
});

test("a text that a server can run stays as it is", () => {
  const text = "#!/bin/sh\n\nprintf 'a\\r'\n\n";
  expect(runnable(text)).toBe(text);
});
