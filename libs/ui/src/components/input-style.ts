/** The class of all text inputs. */
export const inputStyle = "ui-input";
