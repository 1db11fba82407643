import type { EffectiveOption } from "@latchkey/contracts";

/** Returns the options with one of these names, and those below one. Names are separated by commas. Without names, returns all. */
export const settingsNamed = (
  options: readonly EffectiveOption[],
  names: string | undefined,
): EffectiveOption[] => {
  if (names === undefined) return [...options];
  const asked = names.split(",");
  return options.filter(({ name }) =>
    asked.some((one) => name === one || name.startsWith(`${one}.`)),
  );
};
