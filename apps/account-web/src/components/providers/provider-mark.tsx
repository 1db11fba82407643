import type { ReactNode } from "react";

/** The marks of well-known providers, drawn in a square of 24. */
const marks: Readonly<Record<string, ReactNode>> = {
  google: (
    <>
      <path
        fill="#4285f4"
        d="M22.6 12.2c0-.8-.1-1.5-.2-2.2H12v4.3h5.9a5 5 0 0 1-2.2 3.3v2.8h3.6c2.1-2 3.3-4.8 3.3-8.2z"
      />
      <path
        fill="#34a853"
        d="M12 23c3 0 5.5-1 7.3-2.6l-3.6-2.8a6.6 6.6 0 0 1-9.9-3.5H2.2V17A11 11 0 0 0 12 23z"
      />
      <path fill="#fbbc05" d="M5.8 14.1a6.6 6.6 0 0 1 0-4.2V7.1H2.2a11 11 0 0 0 0 9.9z" />
      <path
        fill="#ea4335"
        d="M12 5.4c1.6 0 3.1.6 4.2 1.7l3.2-3.2A11 11 0 0 0 2.2 7.1l3.6 2.8A6.6 6.6 0 0 1 12 5.4z"
      />
    </>
  ),
  microsoft: (
    <>
      <path fill="#f25022" d="M2 2h9.5v9.5H2z" />
      <path fill="#7fba00" d="M12.5 2H22v9.5h-9.5z" />
      <path fill="#00a4ef" d="M2 12.5h9.5V22H2z" />
      <path fill="#ffb900" d="M12.5 12.5H22V22h-9.5z" />
    </>
  ),
  github: (
    <path
      fill="currentColor"
      d="M12 1.5a10.8 10.8 0 0 0-3.4 21c.5.1.7-.2.7-.5v-2c-3 .7-3.6-1.3-3.6-1.3-.5-1.2-1.2-1.6-1.2-1.6-1-.7.1-.7.1-.7 1.1.1 1.7 1.2 1.7 1.2 1 1.7 2.6 1.2 3.2.9.1-.7.4-1.2.7-1.5-2.4-.3-4.9-1.2-4.9-5.3 0-1.2.4-2.1 1.1-2.9-.1-.3-.5-1.4.1-2.9 0 0 .9-.3 3 1.1a10.3 10.3 0 0 1 5.4 0c2.1-1.4 3-1.1 3-1.1.6 1.5.2 2.6.1 2.9.7.8 1.1 1.7 1.1 2.9 0 4.1-2.5 5-4.9 5.3.4.3.7 1 .7 2v3c0 .3.2.6.7.5A10.8 10.8 0 0 0 12 1.5z"
    />
  ),
  facebook: (
    <path
      fill="#1877f2"
      d="M22.5 12A10.5 10.5 0 1 0 10.4 22.4v-7.3H7.7V12h2.7V9.7c0-2.6 1.6-4.1 4-4.1 1.1 0 2.3.2 2.3.2v2.6h-1.3c-1.3 0-1.7.8-1.7 1.6v2h2.9l-.5 3.1h-2.4v7.3A10.5 10.5 0 0 0 22.5 12z"
    />
  ),
  twitter: (
    <path
      fill="currentColor"
      d="M17.8 3h3.1l-6.8 7.7L22 21h-6.2l-4.9-6.3L5.4 21H2.3l7.2-8.2L2 3h6.4l4.4 5.8zm-1.1 16.2h1.7L7.4 4.7H5.6z"
    />
  ),
};

/** The mark of a provider, or the initial of its name. */
export const ProviderMark = ({ id, name }: { id: string; name: string }) =>
  Object.hasOwn(marks, id) ? (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-4 shrink-0">
      {marks[id]}
    </svg>
  ) : (
    <span
      aria-hidden="true"
      className="grid size-4 place-items-center rounded-sm bg-sunken text-[0.625rem] font-semibold"
    >
      {name.charAt(0).toUpperCase()}
    </span>
  );
