import { type EffectiveOption, listOptions } from "@latchkey/contracts";
import { optionVariables, type Settings } from "@latchkey/service-kit/config";
import type { GatewayConfig } from "../config.ts";

const isIn = (tree: unknown, [name, ...below]: readonly string[]): boolean => {
  if (name === undefined) return tree !== undefined;
  return (
    typeof tree === "object" &&
    tree !== null &&
    Object.hasOwn(tree, name) &&
    isIn((tree as Record<string, unknown>)[name], below)
  );
};

const sourceOf = ({ given }: Pick<Settings, "given">, name: string): EffectiveOption["source"] => {
  if (given.environment.includes(name)) return "environment";
  return isIn(given.file, name.split(".")) ? "file" : "default";
};

/** Returns every option with its effective value and its source, with secrets masked. Limits include the effect of other options. */
export const effectiveSettings = (
  settings: Pick<Settings, "given" | "options">,
  { rateLimit }: Pick<GatewayConfig, "rateLimit">,
): EffectiveOption[] =>
  listOptions({ ...settings.options, rateLimit }).map(({ name, description, value, isSecret }) => ({
    name,
    description,
    variable: optionVariables.find(({ option }) => option === name)?.name ?? null,
    value,
    source: sourceOf(settings, name),
    isSecret,
  }));
