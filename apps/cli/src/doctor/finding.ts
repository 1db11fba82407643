/** The result of one check. `remedy` says what to do, if anything. */
export interface Finding {
  check: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  remedy?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail });

export const warn = (check: string, detail: string, remedy: string): Finding => ({
  check,
  status: "warn",
  detail,
  remedy,
});

export const fail = (check: string, detail: string, remedy: string): Finding => ({
  check,
  status: "fail",
  detail,
  remedy,
});
