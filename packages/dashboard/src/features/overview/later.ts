// What the start page of resellers shows later. Browsers load it as one file.
export { DebtAlert } from './debt-alert.tsx';
export { LastLists } from './last-lists.tsx';
export { MeteringSection } from './metering-section.tsx';
export { RefusedSection } from './refused-section.tsx';
export { SubUsersSection } from './sub-users-section.tsx';
