// Imported first by the targets that are Bursar: like `bursar serve`, they set this before they load anything else.
import { allocateYoung } from '../../packages/server/src/allocate-young.ts';

allocateYoung();
