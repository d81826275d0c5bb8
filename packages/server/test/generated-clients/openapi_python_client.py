import os

from generated.python.api.account import my_info
from generated.python.api.events import view_event_page
from generated.python.api.life import view_sub_user_page
from generated.python.api.sub_users import create_sub_user, view_sub_user
from generated.python.client import AuthenticatedClient
from generated.python.models import (
    CreateRequest,
    EventPageAnswer,
    EventPageRequest,
    RepeatedChangeFailure,
    SubUserAnswer,
    SubUserPageAnswer,
    SubUserPageRequest,
    SubUserRequest,
    SubUserCreatedEvent,
)

NAME = "of.python"
ONCE = "of-openapi-python-client"

client = AuthenticatedClient(os.environ["BURSAR_URL"], os.environ["BURSAR_TOKEN"])
account = my_info.sync(client=client)
assert isinstance(account, SubUserAnswer) and account.data.username == "acme"
created = create_sub_user.sync(client=client, body=CreateRequest(NAME), x_change_id=ONCE)
assert isinstance(created, SubUserAnswer) and created.data.balance == 0
repeated = create_sub_user.sync(client=client, body=CreateRequest(NAME), x_change_id=ONCE)
assert isinstance(repeated, RepeatedChangeFailure) and repeated.data.change.kind == "create", repeated
viewed = view_sub_user.sync(client=client, body=SubUserRequest(NAME))
assert isinstance(viewed, SubUserAnswer) and viewed.data == created.data
page = view_sub_user_page.sync(client=client, body=SubUserPageRequest(prefix="of.py"))
assert isinstance(page, SubUserPageAnswer)
assert [(row.username, row.state) for row in page.data.sub_users] == [(NAME, "active")]
log = view_event_page.sync(client=client, body=EventPageRequest())
assert isinstance(log, EventPageAnswer)
events = [event for event in log.data.events if isinstance(event, SubUserCreatedEvent)]
assert [event.data.usable for event in events if event.username == NAME] == [True]
print("done")
