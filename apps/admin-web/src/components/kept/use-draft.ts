import { useEffect, useEffectEvent, useState } from "react";
import type { DefaultValues, FieldValues, Path, PathValue, UseFormReturn } from "react-hook-form";
import { draftOf, fittingDraft, type FormValues } from "./draft-values.ts";
import { discardKept, keep, readKept } from "./kept-values.ts";

const draftName = (name: string): string => `draft.${name}`;

interface Draft<Values extends FieldValues> {
  form: Pick<UseFormReturn<Values>, "setValue" | "watch">;
  /** Names the form, with the id of what it changes. Without a name, nothing is kept. */
  name: string | undefined;
  defaults: DefaultValues<Values>;
  /** Fields that are not kept, such as passwords. */
  excluded?: readonly (keyof Values & string)[];
}

/**
 * Keeps the input of a form while the user navigates or has to sign in again. Fills the form with it when it is shown again. Call
 * `discardDraft` when the user has saved or given up.
 */
export const useDraft = <Values extends FieldValues>(draft: Draft<Values>): void => {
  const { form, name, excluded = [] } = draft;
  // The cast is needed because the defaults of a form have an unknown depth.
  const defaults = draft.defaults as FormValues;
  const { watch, setValue } = form;
  const restore = useEffectEvent((kept: string) => {
    for (const [field, value] of Object.entries(fittingDraft(readKept(kept), defaults)))
      setValue(field as Path<Values>, value as PathValue<Values, Path<Values>>, {
        shouldDirty: true,
      });
  });
  const write = useEffectEvent((kept: string, values: FormValues) =>
    keep(kept, draftOf(values, defaults, excluded)),
  );
  useEffect(() => {
    if (name === undefined) return undefined;
    const storedName = draftName(name);
    restore(storedName);
    const { unsubscribe } = watch((values) => write(storedName, values));
    return unsubscribe;
  }, [watch, name]);
};

/** Keeps values that are no fields of such a form, as `useDraft` does. They are the state of the component. */
export const useDraftState = <Values extends FormValues>(name: string, defaults: Values) => {
  const [values, setValues] = useState<Values>(() => ({
    ...defaults,
    ...fittingDraft(readKept(draftName(name)), defaults),
  }));
  useEffect(() => keep(draftName(name), draftOf(values, defaults, [])), [name, values, defaults]);
  return [values, setValues] as const;
};

/** Discards a draft that was saved or given up. */
export const discardDraft = (name: string): void => discardKept(draftName(name));
