import { useEffect, useEffectEvent } from "react";
import type { DefaultValues, FieldValues, Path, PathValue, UseFormReturn } from "react-hook-form";
import { draftOf, fittingDraft, type FormValues } from "./draft-values.ts";
import { discardKept, keep, readKept } from "./kept-values.ts";

const draftName = (name: string): string => `draft.${name}`;

interface Draft<Values extends FieldValues> {
  form: Pick<UseFormReturn<Values>, "setValue" | "watch">;
  /** Names the form, with the id of what it changes. */
  name: string;
  defaults: DefaultValues<Values>;
  /** Fields that are never kept, such as passwords. */
  secrets?: readonly (keyof Values & string)[];
}

/**
 * Keeps the input of a form while the user navigates or has to sign in again. Fills the form with it when it is shown again. Call
 * `discardDraft` when the user has saved or given up.
 */
export const useDraft = <Values extends FieldValues>(draft: Draft<Values>): void => {
  const { form, name, secrets = [] } = draft;
  // The cast is needed because the defaults of a form have an unknown depth.
  const defaults = draft.defaults as FormValues;
  const { watch, setValue } = form;
  const restore = useEffectEvent(() => {
    for (const [field, value] of Object.entries(fittingDraft(readKept(draftName(name)), defaults)))
      setValue(field as Path<Values>, value as PathValue<Values, Path<Values>>, {
        shouldDirty: true,
      });
  });
  const write = useEffectEvent((values: FormValues) =>
    keep(draftName(name), draftOf(values, defaults, secrets)),
  );
  useEffect(() => {
    restore();
    const { unsubscribe } = watch((values) => write(values));
    return unsubscribe;
  }, [watch]);
};

/** Discards a draft that was saved or given up. */
export const discardDraft = (name: string): void => discardKept(draftName(name));
