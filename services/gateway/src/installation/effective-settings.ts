import { isDeepStrictEqual } from "node:util";
import { type EffectiveOption, listOptions, optionsSchema } from "@latchkey/contracts";
import { optionVariables, type Settings } from "@latchkey/service-kit/config";
import { readLimits } from "../config.ts";

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
  settings: Pick<Settings, "given" | "options" | "production">,
): EffectiveOption[] => {
  const { options, production } = settings;
  const usual = optionsSchema.parse({});
  const { redisUrl } = options;
  const usualLimits = readLimits({ rateLimit: usual.rateLimit, redisUrl }, production);
  const usualValues = new Map(
    listOptions({ ...usual, rateLimit: usualLimits }).map(({ name, value }) => [name, value]),
  );
  return listOptions({ ...options, rateLimit: readLimits(options, production) }).map((option) => {
    const { name, description, value, isSecret } = option;
    const source = sourceOf(settings, name);
    // Options of one provider have no default that is the same for all. A mask may hide a difference.
    const usualValue = usualValues.get(name) ?? null;
    const isChanged = source !== "default" && (isSecret || !isDeepStrictEqual(value, usualValue));
    const variable = optionVariables.find((known) => known.option === name)?.name ?? null;
    const effective = { name, description, variable, value, source, isSecret };
    return isChanged ? Object.assign(effective, { default: usualValue }) : effective;
  });
};
