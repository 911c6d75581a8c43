/**
 * Completion scripts of shells for `vnfm`. Each runs `vnfm completion words` and uses each line of the output as a
 * word, without interpreting its characters, because names come from files.
 */
const SCRIPTS = {
  bash: `_vnfm() {
  # bash breaks words at = too, which the operand of scale has
  local line=\${COMP_LINE:0:COMP_POINT} words
  read -ra words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=("")
  mapfile -t COMPREPLY < <(vnfm completion words -- "\${words[@]:1}" 2>/dev/null)
  local begun=\${words[-1]}
  if [[ $begun == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${begun%"\${begun##*=}"}"}"); fi
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _vnfm vnfm
`,
  zsh: `#compdef vnfm
_vnfm() {
  local -a found
  found=("\${(@f)$(vnfm completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n \${found[1]} ]]; then compadd -S '' -q -- "\${found[@]}"; else _files; fi
}
compdef _vnfm vnfm
`,
  fish: `complete --command vnfm --arguments '(vnfm completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as Shell[];

/** The script of a shell. Undefined: there is none. */
export function completionScript(shell: string): string | undefined {
  return SHELLS.includes(shell as Shell) ? SCRIPTS[shell as Shell] : undefined;
}
