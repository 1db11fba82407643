import { type SyntheticEvent, useContext, useState } from "react";
import {
  type FieldValues,
  type Path,
  type PathValue,
  type RegisterOptions,
  useForm as useFields,
  type UseFormProps,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from "react-hook-form";
import { ErrorTexts, useErrorText } from "../errors/explain-error.ts";
import { type Faults, faultsOf } from "./faults-of.ts";

/** The mutation that sends a form. */
export interface Sending {
  readonly error: unknown;
  readonly isPending: boolean;
}

const notSent: Sending = { error: null, isPending: false };

interface FormUse<Values extends FieldValues, Sent> extends Pick<
  UseFormProps<Values, unknown, Sent>,
  "defaultValues" | "values" | "resetOptions" | "resolver"
> {
  /** The mutation that the form runs. Its refusal appears at the field that it is about, else below the fields. */
  change?: Sending;
  /** The fields of more error codes, and of values that the operation names differently. */
  fieldOf?: Readonly<Record<string, Path<Values>>>;
  /** Called with the values once all fields are valid. */
  onSubmit: (values: Sent) => unknown;
}

/** The registration of the control of a field, and its error. */
export interface FieldProps extends UseFormRegisterReturn {
  error: string | undefined;
}

interface Controls<Values extends FieldValues> {
  /** Returns the properties of a native control, such as `TextField`. */
  field: <Name extends Path<Values>>(
    name: Name,
    rules?: RegisterOptions<Values, Name>,
  ) => FieldProps;
  /** Returns the properties of a control that has a value and is no native one. */
  choice: <Name extends Path<Values>>(
    name: Name,
  ) => { value: PathValue<Values, Name>; onChange: (value: PathValue<Values, Name>) => void };
  /** Returns the error of a field: that of its rules, else that of the server. */
  errorOf: (name: Path<Values>) => string | undefined;
}

const controlsOf = <Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  faults: Faults<Path<Values>>,
  shown: Set<Path<Values>>,
): Controls<Values> => {
  const { formState, getFieldState, register, setValue, watch } = form;
  const errorOf = (name: Path<Values>) => {
    shown.add(name);
    return getFieldState(name, formState).error?.message ?? faults[name];
  };
  return {
    errorOf,
    field: (name, rules) => ({ ...register(name, rules), error: errorOf(name) }),
    choice: (name) => ({
      value: watch(name),
      onChange: (value) =>
        setValue(name, value, { shouldDirty: true, shouldValidate: formState.isSubmitted }),
    }),
  };
};

/** The parts of a form that do not depend on its values. `Form` shows them. */
export interface FormState {
  readonly submit: (event?: SyntheticEvent) => void;
  readonly isPending: boolean;
  /** How often the user has tried to send the form. */
  readonly attemptCount: number;
  /** The error of the mutation. */
  readonly error: unknown;
  /** The same error, if no field shows it. */
  readonly refusal: unknown;
}

export interface FormOf<Values extends FieldValues, Sent = Values>
  extends UseFormReturn<Values, unknown, Sent>, Controls<Values>, FormState {}

/**
 * The one way in which forms work. Fields are valid by the rules beside them, or by a schema (`resolver`). The first field with an error
 * gets the focus, whether the form or the server found it. Render the form by `Form` or `DialogForm`.
 */
export const useForm = <Values extends FieldValues, Sent = Values>(
  use: FormUse<Values, Sent>,
): FormOf<Values, Sent> => {
  const { change = notSent, fieldOf, onSubmit, ...settings } = use;
  const form = useFields<Values, unknown, Sent>({ ...settings, shouldFocusError: false });
  const explain = useErrorText();
  const { find } = useContext(ErrorTexts);
  // The fields that have been rendered. A value without a field cannot show an error.
  const [shown] = useState(() => new Set<Path<Values>>());
  const names = [...shown];
  const faults: Faults<Path<Values>> = faultsOf(change.error, {
    names,
    fieldOf,
    explain,
    issueText: (issue) => find("fieldFault", { issue }),
  });
  const submit = form.handleSubmit((values) => void onSubmit(values));
  return {
    ...form,
    ...controlsOf(form, faults, shown),
    submit: (event) => void submit(event),
    isPending: change.isPending,
    attemptCount: form.formState.submitCount,
    error: change.error,
    refusal: Object.keys(faults).length > 0 ? null : change.error,
  };
};

/** A rule of texts that must not be blank. */
export const notBlank =
  (message: string) =>
  (text: string): true | string =>
    text.trim() !== "" || message;
