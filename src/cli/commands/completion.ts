/** Completion scripts of shells, for commands, options, ids and groups. */
import { all } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { UsageError } from "../usage.js";

const SHELLS = { bash, zsh, fish };

export async function run({ terminal, words, commands }: Invocation): Promise<number> {
  const [shell = ""] = words;
  if (!Object.hasOwn(SHELLS, shell))
    throw new UsageError(
      `Name a shell: coinslot completion ${Object.keys(SHELLS).join(", ")}. For bash: eval "$(coinslot completion bash)".`,
    );
  terminal.out(SHELLS[shell as keyof typeof SHELLS](commands));
  return 0;
}

type Commands = Invocation["commands"];

const optionsOf = ({ options }: { options: object }): string[] => [
  ...Object.keys(options).map((name) => `--${name}`),
  "--help",
];

/** Words that may follow a command, other than its options. */
function wordsOf(command: string): string[] {
  if (command === "call" || command === "describe") return all.map(({ id }) => id);
  if (command === "completion") return Object.keys(SHELLS);
  return [];
}

const groups = [...new Set(all.map(({ group }) => group))];

/** zsh reads the same words through its own loader of bash completions. */
function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([command, facts]) => `    ${command}) words="${[...wordsOf(command), ...optionsOf(facts)].join(" ")}" ;;`,
  );
  return `_coinslot() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${Object.keys(commands).join(" ")} --help --version"
  [ "$before" = "--group" ] && words="${groups.join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _coinslot coinslot`;
}

function zsh(commands: Commands): string {
  return `autoload -Uz compinit bashcompinit && compinit -u && bashcompinit\n${bash(commands)}`;
}

function fish(commands: Commands): string {
  const within = (command: string) => `complete -c coinslot -n "__fish_seen_subcommand_from ${command}"`;
  return [
    "complete -c coinslot -f",
    `complete -c coinslot -n __fish_use_subcommand -a "${Object.keys(commands).join(" ")}"`,
    ...Object.entries(commands).flatMap(([command, facts]) => [
      ...(wordsOf(command).length > 0 ? [`${within(command)} -a "${wordsOf(command).join(" ")}"`] : []),
      ...optionsOf(facts).map((option) => `${within(command)} -l ${option.slice(2)}`),
    ]),
    `complete -c coinslot -n "__fish_seen_argument -l group" -a "${groups.join(" ")}"`,
  ].join("\n");
}
