import { type ChangeEvent, type ComponentProps, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { splitFieldProps, Labelled, type LabelProps } from "./fields.tsx";

interface CodeFieldProps extends LabelProps, Omit<ComponentProps<"input">, keyof LabelProps> {
  /** The digits of a whole code. The form is sent once they are there. */
  length: number;
}

const boxes = (length: number) => Array.from({ length }, (_, index) => index);

/**
 * A box for each digit of a code, over which one input lies. So a code can be pasted, a phone can fill it in from a message, and screen
 * readers meet one field.
 */
export const CodeField = ({ length, ...props }: CodeFieldProps) => {
  const [frame, { onChange, ...input }] = splitFieldProps(props);
  const [digits, setDigits] = useState("");
  const around = useRef<HTMLDivElement>(null);
  const isWrong = frame.error !== undefined;
  useEffect(() => {
    const field = around.current?.querySelector("input");
    // A form fills in the value that it has.
    setDigits(field?.value ?? "");
    // So that the next digit replaces the wrong code, which leaves no room for it.
    if (isWrong) field?.select();
  }, [isWrong]);
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { target } = event;
    target.value = target.value.replaceAll(/\D/g, "").slice(0, length);
    setDigits(target.value);
    onChange?.(event);
    if (target.value.length === length && target.value !== digits) target.form?.requestSubmit();
  };
  return (
    <Labelled {...frame}>
      {(linked) => (
        <div ref={around} dir="ltr" className="group relative flex gap-2">
          {boxes(length).map((index) => (
            <span
              key={index}
              aria-hidden="true"
              data-here={index === Math.min(digits.length, length - 1) || undefined}
              className={classNames(
                "grid h-12 min-w-0 flex-1 place-items-center rounded-md border bg-surface text-xl font-medium tabular-nums transition-colors",
                linked["aria-invalid"] ? "border-danger" : "border-edge",
                "group-focus-within:data-here:border-link group-focus-within:data-here:outline-3 group-focus-within:data-here:outline-link/28",
              )}
            >
              {digits[index]}
            </span>
          ))}
          <input
            {...input}
            {...linked}
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            className="absolute inset-0 size-full cursor-text rounded-md opacity-0"
            onChange={change}
            // The whole code is replaced at once, because the boxes show no caret within it.
            onFocus={({ target }) => target.select()}
          />
        </div>
      )}
    </Labelled>
  );
};
