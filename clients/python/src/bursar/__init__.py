"""The reseller API of a Bursar service, with retries that never make a change twice."""

from ._api import VERSION as __version__
from ._api import ErrorCode as ErrorCode
from ._api import Operation as Operation
from ._async.client import AsyncBursar as AsyncBursar
from ._async.lists import AsyncPagedList as AsyncPagedList
from ._errors import *
from ._models import *
from ._options import CallOptions as CallOptions
from ._options import ChangeOptions as ChangeOptions
from ._options import ClientEvent as ClientEvent
from ._options import EventListener as EventListener
from ._options import EventListOptions as EventListOptions
from ._options import FollowOptions as FollowOptions
from ._options import ListOptions as ListOptions
from ._options import StatementOptions as StatementOptions
from ._options import Stop as Stop
from ._options import SubUserListOptions as SubUserListOptions
from ._options import TopUpListOptions as TopUpListOptions
from ._options import TransferOptions as TransferOptions
from ._options import new_change_id as new_change_id
from ._results import *
from ._sent import NewLimits as NewLimits
from ._sent import WebhookUpdate as WebhookUpdate
from ._sync.client import Bursar as Bursar
from ._sync.lists import PagedList as PagedList
from ._webhooks import WebhookVerificationError as WebhookVerificationError
from ._webhooks import verify_webhook as verify_webhook
