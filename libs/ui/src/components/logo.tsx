import type { Themed } from "@latchkey/contracts";

interface LogoProps {
  name: string;
  /** The addresses of the logo on light and on dark pages. Without one, the name takes its place. */
  logo: Themed<string> | undefined;
  className: string;
}

/** The logo of an application. The browser loads only the one that it shows. */
export const Logo = ({ name, logo, className }: LogoProps) => {
  if (!logo) return name;
  if (logo.light === logo.dark)
    return <img src={logo.light} alt={name} className={`object-contain ${className}`} />;
  return (["light", "dark"] as const).map((kind) => (
    <img
      key={kind}
      src={logo[kind]}
      alt={name}
      loading="lazy"
      className={`ui-on-${kind} object-contain ${className}`}
    />
  ));
};
