export {
	type Address,
	type AllowedDestination,
	createDestinationPolicy,
	createIsOwn,
	type DestinationOptions,
	type DestinationPolicy,
} from './destinations.ts';
export { pinned } from './pinned.ts';
