/** Checks of values from outside: the browser's storage, addresses, other tabs. */
export const isText = (value) => typeof value === "string";
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
export const oneOf = (...values) => (value) => values.includes(value);
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const listOf = (isRight) => (value) => Array.isArray(value) && value.every(isRight);
export const hasValues = (isRight) => (value) => isObject(value) && Object.values(value).every(isRight);
export const hasParts = (parts) => (value) => isObject(value) && Object.entries(parts).every(([name, isRight]) => isRight(value[name]));
