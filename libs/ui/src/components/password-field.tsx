import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { splitFieldProps, Labelled, type LabelProps } from "./fields.tsx";
import { inputStyle } from "./input-style.ts";

interface PasswordFieldProps
  extends LabelProps, Omit<ComponentProps<"input">, keyof LabelProps | "type"> {
  /** The names of the button that shows or hides the password. */
  showLabel: string;
  hideLabel: string;
  /** Content below the input, such as its strength. */
  below?: ReactNode;
}

/** A password, which its user can make readable. */
export const PasswordField = ({ showLabel, hideLabel, below, ...props }: PasswordFieldProps) => {
  const [frame, input] = splitFieldProps(props);
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Labelled {...frame}>
      {(linked) => (
        <>
          <div dir="ltr" className="relative">
            <input
              {...input}
              {...linked}
              type={isShown ? "text" : "password"}
              autoCapitalize="none"
              spellCheck={false}
              className={classNames(inputStyle, "pe-11")}
            />
            <button
              type="button"
              className={classNames(
                buttonStyle("quiet", "icon"),
                "absolute end-1 top-1/2 -translate-y-1/2 text-muted",
              )}
              onClick={() => setIsShown((was) => !was)}
            >
              <Icon aria-hidden="true" />
              <span className="sr-only">{isShown ? hideLabel : showLabel}</span>
            </button>
          </div>
          {below}
        </>
      )}
    </Labelled>
  );
};
