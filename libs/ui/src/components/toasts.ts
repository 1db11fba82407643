interface Notice {
  title: string;
  description?: string | undefined;
  type: "success" | "error";
}

let show: ((notice: Notice) => void) | undefined;
/** The notices that were created before anything could show them. */
const early: Notice[] = [];

/** Creates short notices from anywhere in the page. */
export const toasts = {
  add: (notice: Notice): void => {
    if (show) show(notice);
    else early.push(notice);
  },
  /** Sets what shows the notices. */
  showWith: (given: (notice: Notice) => void): void => {
    show = given;
    for (const notice of early.splice(0)) given(notice);
  },
};
