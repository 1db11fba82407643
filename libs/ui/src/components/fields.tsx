import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";

/** The label, hint and error of a field. */
export interface LabelProps {
  label: ReactNode;
  /** An explanation below the control. */
  hint?: ReactNode;
  /** The validation error. */
  error?: string | undefined;
  /** A link beside the label. */
  corner?: ReactNode;
  /** Shows the label to screen readers only. */
  hidesLabel?: boolean | undefined;
  className?: string | undefined;
}

interface LabelledProps extends LabelProps {
  children: (control: {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

const FieldError = ({ id, error }: { id: string; error: string }) => (
  <p id={id} className="text-sm text-danger">
    {error}
  </p>
);

/** The label, hint and error around a native control. */
export const Labelled = (props: LabelledProps) => {
  const { label, hint, error, corner, hidesLabel, className, children } = props;
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className={classNames("flex flex-col gap-1.5", className)}>
      <div className={hidesLabel ? "sr-only" : "flex items-baseline justify-between gap-2"}>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {/* What a link adds for fingers must not widen the gap above the field. */}
        {corner && <div className="-my-3 flex">{corner}</div>}
      </div>
      {children({
        id,
        "aria-invalid": error !== undefined,
        "aria-describedby": describedBy.join(" ") || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`} error={error} />}
    </div>
  );
};

/** Divides the properties of a field into those of its label and those of its control. */
export const splitFieldProps = <Props extends LabelProps>(props: Props) => {
  const { label, hint, error, corner, hidesLabel, className, ...control } = props;
  return [{ label, hint, error, corner, hidesLabel, className }, control] as const;
};

interface TextFieldProps extends LabelProps, Omit<ComponentProps<"input">, keyof LabelProps> {
  /** The text is code or a number: letters have the same width. */
  isCode?: boolean | undefined;
}

const codeStyle = "font-mono text-xs";

/** A text input with its label, hint and error. It is native, so that the sign-in page stays small. */
export const TextField = ({ isCode, ...props }: TextFieldProps) => {
  const [frame, input] = splitFieldProps(props);
  return (
    <Labelled {...frame}>
      {(linked) => (
        <input {...input} {...linked} className={classNames(inputStyle, isCode && codeStyle)} />
      )}
    </Labelled>
  );
};

interface TextAreaFieldProps
  extends LabelProps, Omit<ComponentProps<"textarea">, keyof LabelProps> {
  isCode?: boolean | undefined;
}

/** A text input of several lines. */
export const TextAreaField = ({ isCode, ...props }: TextAreaFieldProps) => {
  const [frame, input] = splitFieldProps(props);
  return (
    <Labelled {...frame}>
      {(linked) => (
        <textarea
          {...input}
          {...linked}
          className={classNames(inputStyle, "ui-textarea", isCode && codeStyle)}
        />
      )}
    </Labelled>
  );
};

interface SelectFieldProps
  extends LabelProps, Omit<ComponentProps<"select">, keyof LabelProps | "children"> {
  choices: readonly { readonly value: string; readonly label: string }[];
}

/** Chooses one of a few values by the control of the browser. */
export const SelectField = ({ choices, ...props }: SelectFieldProps) => {
  const [frame, select] = splitFieldProps(props);
  return (
    <Labelled {...frame}>
      {(linked) => (
        <select {...select} {...linked} className={inputStyle}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
};

interface CheckFieldProps extends Omit<ComponentProps<"input">, "className" | "type"> {
  label: ReactNode;
  /** The validation error. */
  error?: string | undefined;
}

/** A checkbox with its label and error. */
export const CheckField = ({ label, error, ...input }: CheckFieldProps) => {
  const errorId = useId();
  const isWrong = error !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <label className="flex min-h-6 items-center gap-2.5 max-sm:min-h-10">
        <input
          {...input}
          type="checkbox"
          aria-invalid={isWrong}
          aria-describedby={isWrong ? errorId : undefined}
          className="size-4 shrink-0 accent-accent"
        />
        <span>{label}</span>
      </label>
      {isWrong && <FieldError id={errorId} error={error} />}
    </div>
  );
};
